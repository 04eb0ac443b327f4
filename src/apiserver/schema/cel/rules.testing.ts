// Objects and definitions with rules, and what is said of them: for the tests of this folder.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { crdCheck } from '../crd-check.ts';
import { customSchemaWork } from '../schema-work.ts';

const shape: Resource = {
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
  schema: {},
  origin: 'custom',
};

export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
export const ruled = (...rules: readonly (string | JsonObject)[]): JsonObject => ({
  'x-kubernetes-validations': rules.map(rule => (typeof rule === 'string' ? { rule } : rule)),
});
export const thing = (spec: Json): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
});

export function errors(spec: JsonObject, value: Json, old?: Json): readonly string[] {
  const resource = { ...shape, schema: object({ spec }) };
  const before = old === undefined ? undefined : thing(old);
  return customSchemaWork.validate(resource, thing(value), before).map(({ field, message }) => `${field}: ${message}`);
}

export function definitionErrors(spec: JsonObject): readonly string[] {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object({ spec }) } };
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const crd = {
    metadata: { name: 'things.example.org' },
    spec: { group: 'example.org', scope: 'Namespaced', names, versions: [version] },
    status: { storedVersions: ['v1'] },
  };
  return crdCheck(crd, undefined).map(({ field, message }) => `${field}: ${message}`);
}

export const integer: JsonObject = { type: 'integer' };
export const text: JsonObject = { type: 'string' };

export const replicas = { min: integer, max: integer };

/** A resource whose spec has this schema. */
export const resourceOf = (schema: JsonObject): Resource => ({ ...shape, schema });
