// The whole schema of a resource's objects: a CRD describes what is its own, the rest is the same for every kind.

import type { JsonObject, Resource } from '../../parts.ts';
import { objectAt } from '../json.ts';
import { REF_PREFIX, schemaOf } from '../schemas.ts';
import { typeNameOf } from '../shapes.ts';
import { apiVersionOf } from './record.ts';

const EVERYBODYS: JsonObject = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { $ref: `${REF_PREFIX}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta` },
};

const completed = new WeakMap<JsonObject, JsonObject>();

export function rootSchema(resource: Resource): JsonObject {
  const { origin, schema } = resource;
  if (origin === 'builtin') return schema.type === undefined ? ofSubresource(resource) : schema;
  const known = completed.get(schema);
  if (known !== undefined) return known;

  const whole = { ...schema, type: 'object', properties: { ...objectAt(schema, 'properties'), ...EVERYBODYS } };
  completed.set(schema, whole);
  return whole;
}

/** A kind that is spoken of at a subresource only (Scale) is no resource that has a schema. */
function ofSubresource(resource: Resource): JsonObject {
  const typeName = typeNameOf(apiVersionOf(resource), resource.kind);
  return (typeName === undefined ? undefined : schemaOf(typeName)) ?? resource.schema;
}
