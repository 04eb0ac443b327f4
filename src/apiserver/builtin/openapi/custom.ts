// How a CRD's schema appears in the OpenAPI documents: with a name, its metadata, its kind, and a list of it.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { isObject, objectAt } from '../json.ts';
import { REF_PREFIX } from '../schemas.ts';

const META = `${REF_PREFIX}io.k8s.apimachinery.pkg.apis.meta.v1`;

/** `com.example.v1.Machine`: the group's labels from the last to the first. */
export function customType({ group, version, kind }: Resource): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

export const customListType = (resource: Resource): string => customType({ ...resource, kind: resource.listKind });

/** Both schemas, by name. */
export function customSchemas(resource: Resource): Readonly<Record<string, JsonObject>> {
  const { group, version, kind, listKind, schema } = resource;
  const named = (name: string): Json => [{ group, kind: name, version }];
  return {
    [customType(resource)]: {
      ...schema,
      type: 'object',
      properties: {
        ...objectAt(schema, 'properties'),
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: `${META}.ObjectMeta` }] },
      },
      'x-kubernetes-group-version-kind': named(kind),
    },
    [customListType(resource)]: {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: { $ref: `${REF_PREFIX}${customType(resource)}` } },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: `${META}.ListMeta` }] },
      },
      'x-kubernetes-group-version-kind': named(listKind),
    },
  };
}

const UNKNOWN_TO_V2 = ['anyOf', 'oneOf', 'not', 'nullable', 'x-kubernetes-validations'];

/** What version 2 of the format can say of a schema: less than the CRD does. */
export function forV2(schema: JsonObject): JsonObject {
  if (schema.nullable === true || schema['x-kubernetes-int-or-string'] === true) return extensionsOf(schema);
  const kept = Object.entries(schema).filter(([key]) => !UNKNOWN_TO_V2.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, keywordForV2(key, value)]));
}

function keywordForV2(key: string, value: Json): Json {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? forV2(inner) : inner]),
    );
  }
  const isSchema = key === 'items' || key === 'additionalProperties';
  return isSchema && isObject(value) ? forV2(value) : value;
}

/** A value of several types: version 2 says nothing of its type. */
function extensionsOf(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => key === 'description' || key.startsWith('x-kubernetes-'));
  return Object.fromEntries(kept);
}
