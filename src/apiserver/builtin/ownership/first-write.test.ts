import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject, Resource } from '../../parts.ts';
import { isList, isObject, objectAt } from '../json.ts';
import { resources } from '../resources.ts';
import { sampleOf } from '../samples-double.ts';
import { builtinSchema } from '../schema-work.ts';
import { typeNameOf } from '../shapes.ts';
import { fieldOwnership } from './ownership.ts';
import { apiVersionOf } from './record.ts';

const owned = resources.filter(each => typeNameOf(apiVersionOf(each), each.kind) !== undefined);

test('whoever creates an object of any kind, whole, in parts or with empty values, owns the same as by a comparison', () => {
  let isOwned = false;
  fc.assert(
    fc.property(fc.constantFrom(...owned), fc.infiniteStream(fc.nat(99)), (resource, draws) => {
      const next = (): number => draws.next().value ?? 0;
      const object = inParts(sampleOf(apiVersionOf(resource), resource.kind), next) as JsonObject;

      const direct = created(resource, object);
      // Who sends a record, be it an empty one, goes the long way.
      const compared = created(resource, {
        ...object,
        metadata: { ...objectAt(object, 'metadata'), managedFields: [] },
      });

      assert.equal(JSON.stringify(direct), JSON.stringify(compared));
      isOwned ||= JSON.stringify(direct).includes('fieldsV1');
    }),
    { numRuns: 1000, seed: 4 },
  );
  assert.ok(isOwned);
});

test('whoever creates an object as the schema reads it owns the same as by a comparison', () => {
  for (const resource of owned) {
    const { object } = builtinSchema.normalize(resource, sampleOf(apiVersionOf(resource), resource.kind));
    const { managedFields: _, ...metadata } = objectAt(object, 'metadata');
    const bare = { ...object, metadata };

    const direct = created(resource, bare);
    const compared = created(resource, { ...bare, metadata: { ...metadata, managedFields: [] } });

    assert.equal(JSON.stringify(direct), JSON.stringify(compared));
  }
});

function created(resource: Resource, after: JsonObject): JsonObject {
  const time = '2026-02-02T02:02:02Z';
  return fieldOwnership.track({ resource, before: undefined, after, manager: 'ann', subresource: '', time });
}

const EMPTIES: readonly Json[] = [null, '', {}, [], 0];

/** The value with some things left out, some emptied, some items twice. */
function inParts(value: Json, next: () => number): Json {
  if (isList(value)) {
    const items = value.map(item => inParts(item, next));
    return next() < 20 ? [...items, ...items, inParts(value[0] ?? null, next)] : items;
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'managedFields' && next() < 75);
  return Object.fromEntries(
    kept.map(([key, inner]) => {
      const isEmptied = next() < 8 && key !== 'metadata';
      return [key, isEmptied ? (EMPTIES[next() % EMPTIES.length] ?? null) : inParts(inner, next)];
    }),
  );
}
