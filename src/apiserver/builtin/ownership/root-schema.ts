// The whole schema of a resource's objects: a CRD describes what is its own, the rest is the same for every kind.

import type { JsonObject, Resource } from '../../parts.ts';
import { objectAt } from '../json.ts';
import { REF_PREFIX } from '../schemas.ts';

const EVERYBODYS: JsonObject = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { $ref: `${REF_PREFIX}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta` },
};

const completed = new WeakMap<JsonObject, JsonObject>();

export function rootSchema({ origin, schema }: Resource): JsonObject {
  if (origin === 'builtin') return schema;
  const known = completed.get(schema);
  if (known !== undefined) return known;

  const whole = { ...schema, type: 'object', properties: { ...objectAt(schema, 'properties'), ...EVERYBODYS } };
  completed.set(schema, whole);
  return whole;
}
