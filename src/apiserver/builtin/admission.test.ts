import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attributes, JsonObject } from '../parts.ts';
import { defaultAdmission } from './admission.ts';
import { objectAt, objectsAt } from './json.ts';
import { resources } from './resources.ts';

test('a Pod waits five minutes for a Node that is away, unless it says otherwise', () => {
  const impatient = {
    key: 'node.kubernetes.io/unreachable',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 5,
  };

  const tolerations = objectsAt(
    objectAt(admitted('pods', { spec: { tolerations: [impatient] } }), 'spec'),
    'tolerations',
  );

  assert.deepEqual(
    tolerations.map(({ key, tolerationSeconds }) => [key, tolerationSeconds]),
    [
      ['node.kubernetes.io/unreachable', 5],
      ['node.kubernetes.io/not-ready', 300],
    ],
  );
});

test('a Pod that tolerates everything is given no limit', () => {
  const all = [{ operator: 'Exists' }];

  assert.deepEqual(objectAt(admitted('pods', { spec: { tolerations: all } }), 'spec').tolerations, all);
});

test('an update does not give a Pod another account', () => {
  const old = { spec: { serviceAccountName: 'builder' } };

  const spec = objectAt(admitted('pods', { spec: { serviceAccountName: 'builder' } }, { old }), 'spec');

  assert.equal(spec.serviceAccountName, 'builder');
});

test('a new Node is not ready; one that is updated is left as it is', () => {
  const created = admitted('nodes', { spec: {} });
  const updated = admitted('nodes', { spec: {} }, { old: { spec: {} } });

  assert.deepEqual(objectAt(created, 'spec').taints, [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
  assert.deepEqual(updated, { spec: {} });
});

test('a write through a subresource fills nothing in', () => {
  const status = { spec: {}, status: { phase: 'Running' } };

  assert.deepEqual(admitted('pods', status, { old: status, subresource: 'status' }), status);
});

function admitted(
  plural: string,
  object: JsonObject,
  { old, subresource = '' }: { readonly old?: JsonObject; readonly subresource?: string } = {},
): JsonObject {
  const resource = resources.find(candidate => candidate.plural === plural);
  assert.ok(resource !== undefined);
  const empty = { verb: '', group: '', version: '', resource: '', namespace: '', name: '', path: '' };
  const attributes: Attributes = {
    ...empty,
    identity: { name: 'ann', groups: [] },
    subresource,
    fieldSelector: '',
    labelSelector: '',
  };
  const answer = defaultAdmission({ attributes, resource, object, old, dryRun: false });
  assert.ok('object' in answer && answer.object !== undefined);
  return answer.object;
}
