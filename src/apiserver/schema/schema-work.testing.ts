// Resources with a schema, and what becomes of their objects: for the tests of this folder.

import type { Json, JsonObject, Resource } from '../parts.ts';
import { customSchemaWork } from './schema-work.ts';

const resource = (schema: JsonObject): Resource => ({
  group: 'example.org',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: [],
  storageName: 'things.example.org',
  schema,
  origin: 'custom',
});

/** A resource whose spec has this schema. */
export const withSpec = (spec: JsonObject): Resource => resource({ type: 'object', properties: { spec } });
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
export const thing = (spec: Json): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
});

/** `field: message`, as a Status lists causes. */
export function errors(spec: JsonObject, value: Json, old?: Json): readonly string[] {
  const before = old === undefined ? undefined : thing(old);
  return customSchemaWork
    .validate(withSpec(spec), thing(value), before)
    .map(({ field, message }) => `${field}: ${message}`);
}

export function normalized(spec: JsonObject, value: Json): { spec: Json | undefined; unknown: readonly string[] } {
  const { object: result, unknownFields } = customSchemaWork.normalize(withSpec(spec), thing(value));
  return { spec: result.spec, unknown: unknownFields };
}

export const text: JsonObject = { type: 'string' };
export const integer: JsonObject = { type: 'integer' };
