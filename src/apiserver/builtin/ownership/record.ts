// `metadata.managedFields`: who owns what, read into sets and written back in Kubernetes' order.

import { millisOf } from '../../../base/clock.ts';
import type { JsonObject, Resource } from '../../parts.ts';
import { type Draft, objectAt, objectsAt, textAt } from '../json.ts';
import { type FieldSet, fromFieldsV1, isEmpty, toFieldsV1 } from './field-set.ts';

export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** Kubernetes Time; empty when nobody knows. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** Managers by who they are: an applier is the same one in every version, an updater is another one in each. */
export type Managers = ReadonlyMap<string, Manager>;

export function identityOf({ name, operation, apiVersion, subresource }: Manager): string {
  const version = operation === 'Apply' ? '' : apiVersion;
  // Each is as long as it says, and the last has the rest: no two are the same text.
  return `${operation}${version.length}:${version}${subresource.length}:${subresource}${name}`;
}

export function managersOf(object: JsonObject): Managers {
  return byIdentity(objectsAt(objectAt(object, 'metadata'), 'managedFields').flatMap(readEntry));
}

export const apiVersionOf = ({ group, version }: Resource): string => (group === '' ? version : `${group}/${version}`);

export const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(apiVersion.lastIndexOf('/'), 0));

export const byIdentity = (managers: readonly Manager[]): Managers =>
  new Map(managers.map(manager => [identityOf(manager), manager]));

function readEntry(entry: JsonObject): readonly Manager[] {
  const operation = entry.operation;
  if (operation !== 'Apply' && operation !== 'Update') return [];
  const fields = fromFieldsV1(objectAt(entry, 'fieldsV1'));
  if (isEmpty(fields)) return [];
  return [
    {
      name: textAt(entry, 'manager'),
      operation,
      apiVersion: textAt(entry, 'apiVersion'),
      subresource: textAt(entry, 'subresource'),
      time: textAt(entry, 'time'),
      fields,
    },
  ];
}

/** A list with one empty entry is a client's wish to start over. */
export function isReset(object: JsonObject): boolean {
  const entries = objectsAt(objectAt(object, 'metadata'), 'managedFields');
  return entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0;
}

/** An object without a record gets one of who made it. */
export const withFirst = (object: JsonObject, maker: Omit<Manager, 'fields'>, fieldsV1: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...objectAt(object, 'metadata'), managedFields: [entryOf(maker, fieldsV1)] },
});

export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(object, 'metadata');
  const entries = recordOf([...managers.values()]);
  return { ...object, metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries } };
}

/** As it is stored: who owns nothing is not in it. */
export const recordOf = (managers: readonly Manager[]): readonly JsonObject[] =>
  managers
    .filter(manager => !isEmpty(manager.fields))
    .sort(inOrder)
    .map(manager => entryOf(manager, toFieldsV1(manager.fields)));

function entryOf(manager: Omit<Manager, 'fields'>, fieldsV1: JsonObject): JsonObject {
  const { name, operation, apiVersion, subresource, time } = manager;
  const entry: Draft = name === '' ? { operation, apiVersion } : { manager: name, operation, apiVersion };
  if (time !== '') entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fieldsV1;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** Appliers first, then by age, then by name. */
function inOrder(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    (millisOf(a.time) || 0) - (millisOf(b.time) || 0) ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
