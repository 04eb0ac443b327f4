// Objects as kubectl's tables: one row each, columns from the kind's printer or the CRD.

import { millisOf } from '../../base/clock.ts';
import type { Core } from '../core.ts';
import type { Json, JsonObject, PrinterColumn, Resource, TableColumn } from '../parts.ts';
import { isObject, objectAt, stringAt } from '../rules/json.ts';
import { ageOf, humanDuration } from './age.ts';
import { firstAt } from './json-path.ts';

const NAME: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: "The object's name, unique in its namespace.",
  priority: 0,
};
const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'When the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** What goes into each row besides its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly version: string;
  readonly include: IncludeObject;
  /** Columns are sent with the first event of a watch only. */
  readonly headless?: true;
}

/** A `meta.k8s.io` Table of these objects. */
export function tableOf(
  core: Core,
  resource: Resource,
  objects: readonly JsonObject[],
  options: TableOptions & { readonly metadata: JsonObject },
): JsonObject {
  const custom = resource.origin === 'custom' ? (resource.printerColumns ?? [AGE]) : undefined;
  const builtin = custom === undefined ? core.parts.printer?.columns(resource) : undefined;
  const columns = builtin ?? [NAME, ...(custom ?? [AGE]).map(columnOf)];
  const cellsOf = (object: JsonObject): readonly Json[] =>
    builtin === undefined
      ? customCells(object, custom ?? [AGE], core.clock.now())
      : (core.parts.printer?.cells(resource, object, core.clock.now()) ?? []);
  const shown = core.parts.printer?.inOrder?.(resource, objects) ?? objects;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: options.metadata,
    columnDefinitions: options.headless === true ? null : columns.map(column => ({ ...column })),
    rows: shown.map(object => ({ cells: cellsOf(object), ...included(object, options) })),
  };
}

function included(object: JsonObject, { include, version }: TableOptions): JsonObject {
  if (include === 'None') return { object: null };
  return { object: include === 'Object' ? object : metadataOnly(object, version) };
}

/** The object's metadata alone. */
export function metadataOnly(object: JsonObject, version: string): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: objectAt(object, 'metadata'),
  };
}

function columnOf({ name, type, format, description, priority }: PrinterColumn): TableColumn {
  return { name, type, format: format ?? '', description: description ?? '', priority: priority ?? 0 };
}

function customCells(object: JsonObject, columns: readonly PrinterColumn[], nowMs: number): readonly Json[] {
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  return [name, ...columns.map(column => cell(firstAt(object, column.jsonPath), column.type, nowMs))];
}

type Cell = (value: Json, nowMs: number) => Json;

/** By the column's type; a value of another type is left out. */
const CELLS: Readonly<Record<string, Cell>> = {
  string: value => (isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)),
  date: (value, nowMs) => (typeof value === 'string' ? dateCell(value, nowMs) : null),
  boolean: value => (typeof value === 'boolean' ? value : null),
  integer: value => (typeof value === 'number' ? Math.trunc(value) : null),
  number: value => (typeof value === 'number' ? value : null),
};

function cell(value: Json | undefined, type: string, nowMs: number): Json {
  return value === undefined || value === null ? null : (CELLS[type]?.(value, nowMs) ?? null);
}

function dateCell(value: string, nowMs: number): string {
  if (Number.isNaN(millisOf(value))) return '<invalid>';
  const until = millisOf(value) - nowMs;
  return until > 0 ? humanDuration(-until) : ageOf(value, nowMs);
}
