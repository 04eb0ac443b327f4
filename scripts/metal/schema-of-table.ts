// The structural schema that one version's table describes.

import type { Bounds, FieldRow } from './table.ts';

export type JsonSchema = { [name: string]: unknown };

/** By path, as the tables write it. */
export type ByPath<T> = Readonly<Record<string, T>>;

export interface SchemaExtras {
  readonly descriptions: ByPath<string>;
  readonly rules: ByPath<readonly JsonSchema[]>;
}

/** `path` is empty for the whole object. */
export function schemaOfTable(fields: readonly FieldRow[], extras: SchemaExtras): JsonSchema {
  const children = childrenByParent(fields);
  const root: FieldRow = { path: '', type: 'object', required: true, bounds: {} };
  const { properties, ...rest } = schemaOf(root, children, extras);
  const meta = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
  return { ...rest, properties: { ...meta, ...asObject(properties) } };
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** `a.b[]` belongs to `a.b`, `a.b[].c` to `a.b[]`, `a.b{}` to `a.b`. */
function childrenByParent(fields: readonly FieldRow[]): ReadonlyMap<string, readonly FieldRow[]> {
  return Map.groupBy(fields, ({ path }) => parentOf(path));
}

function parentOf(path: string): string {
  if (path.endsWith('[]') || path.endsWith('{}')) return path.slice(0, -2);
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

type Children = ReadonlyMap<string, readonly FieldRow[]>;

function schemaOf(row: FieldRow, children: Children, extras: SchemaExtras): JsonSchema {
  const own = children.get(row.path) ?? [];
  const description = extras.descriptions[row.path];
  const rules = extras.rules[row.path];
  return {
    ...(description === undefined ? {} : { description }),
    ...(row.type === 'any' ? {} : { type: row.type }),
    ...boundsOf(row.bounds),
    ...membersOf(row, own, each => schemaOf(each, children, extras)),
    ...(rules === undefined ? {} : { 'x-kubernetes-validations': rules }),
  };
}

function membersOf(row: FieldRow, own: readonly FieldRow[], schema: (row: FieldRow) => JsonSchema): JsonSchema {
  const [inner] = own;
  if (inner?.path === `${row.path}[]`) return { items: schema(inner) };
  if (inner?.path === `${row.path}{}`) return { additionalProperties: schema(inner) };
  if (inner === undefined) return {};
  const required = own.filter(each => each.required).map(each => nameOf(each.path));
  return {
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(own.map(each => [nameOf(each.path), schema(each)])),
  };
}

function boundsOf({ listType, listMapKeys, mapType, preserveUnknownFields, ...plain }: Bounds): JsonSchema {
  return {
    ...plain,
    ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
    ...(listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': listMapKeys }),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
    ...(preserveUnknownFields === undefined ? {} : { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}
