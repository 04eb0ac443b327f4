import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../answer/status.ts';
import type { JsonObject } from '../../parts.ts';
import { schemaOf } from '../schemas.ts';
import { patchCases } from './cases-double.ts';
import { strategicMerge } from './merge.ts';

const merge = (typeName: string, live: JsonObject, patch: JsonObject): JsonObject =>
  strategicMerge(schemaOf(`io.k8s.api.${typeName}`) ?? {}, live, patch);

const deployment = (podSpec: JsonObject): JsonObject => ({ spec: { template: { spec: podSpec } } });

for (const { says, live, patch, after } of patchCases) {
  test(says, () => {
    const run = (): JsonObject => merge('apps.v1.Deployment', deployment(live), deployment(patch));

    if (after === undefined) assert.throws(run, Refusal);
    else assert.deepEqual(withoutEmpty(run()), deployment(after));
  });
}

test('finalizers are a set: what the patch adds is merged, what it names is deleted', () => {
  const live = { metadata: { finalizers: ['a', 'b', 'c'] } };
  const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['b'], finalizers: ['d', 'a'] } };

  const merged = merge('core.v1.Pod', live, patch);

  assert.deepEqual(new Set((merged.metadata as { finalizers: string[] }).finalizers), new Set(['a', 'c', 'd']));
});

test('conditions of a status merge by their type', () => {
  const live = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Up' }] } };
  const patch = {
    status: {
      conditions: [
        { type: 'Ready', status: 'False' },
        { type: 'Other', status: 'True' },
      ],
    },
  };

  assert.deepEqual(merge('core.v1.Node', live, patch), {
    status: {
      conditions: [
        { type: 'Ready', status: 'False', reason: 'Up' },
        { type: 'Other', status: 'True' },
      ],
    },
  });
});

test('the live object is left as it is', () => {
  const live = Object.freeze({ metadata: Object.freeze({ labels: Object.freeze({ a: '1' }) }) });

  const merged = merge('core.v1.Pod', live, { metadata: { labels: { b: '2' } } });

  assert.deepEqual(merged, { metadata: { labels: { a: '1', b: '2' } } });
  assert.deepEqual(live, { metadata: { labels: { a: '1' } } });
});

/** Objects that a deletion emptied are dropped when the result is read as the type: the real server shows none. */
function withoutEmpty(value: JsonObject): JsonObject {
  const text = JSON.stringify(value, (key, inner) =>
    key === 'nodeSelector' && Object.keys(inner).length === 0 ? undefined : inner,
  );
  return JSON.parse(text);
}
