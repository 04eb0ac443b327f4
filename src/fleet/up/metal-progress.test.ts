import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { isUp, metalProgressOf } from './metal-progress.ts';

type Given = Partial<Omit<Metal3Machine, 'metadata'>> & { readonly metadata?: Partial<Metal3Machine['metadata']> };

const aMachine = ({ metadata, ...rest }: Given): Metal3Machine => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: Metal3Machine.kind,
  metadata: { namespace: 'default', name: 'worker-0', uid: 'u', ...metadata },
  ...rest,
});

const linesOf = (given: Given): readonly string[] => [...metalProgressOf([aMachine(given)]).values()];

const node = (status: 'True' | 'False', message = '') => ({
  conditions: [{ type: 'KubernetesNodeReady', status, message }],
});

test('a machine without a host says what it waits for', () => {
  const said = linesOf({ status: node('False', 'Waiting for an available BareMetalHost') });

  assert.deepEqual(said, ['Machine worker-0: waiting for an available BareMetalHost']);
});

test('a machine that has its Node tells its host, its data and its provider id', () => {
  const given = {
    metadata: { annotations: { 'metal3.io/BareMetalHost': 'default/host-0' } },
    spec: { providerID: 'metal3://default/host-0/worker-0' },
    status: { ...node('True'), renderedData: { name: 'workers-0' } },
  };

  assert.deepEqual(linesOf(given), [
    'Machine worker-0: on host host-0',
    'Machine worker-0: data rendered as workers-0',
    'Machine worker-0: Node with metal3://default/host-0/worker-0',
  ]);
  assert.ok(isUp(aMachine(given)));
});

test('a machine that has a provider id and no Node yet is not up', () => {
  const given = {
    spec: { providerID: 'metal3://default/host-0/worker-0' },
    status: node('False', 'Waiting for a Node'),
  };

  assert.equal(isUp(aMachine(given)), false);
  assert.deepEqual(linesOf(given), ['Machine worker-0: waiting for a Node']);
});

test('a machine that goes says what its end waits for', () => {
  const conditions = [{ type: 'Deleting', status: 'True', message: 'Waiting for host host-0 to be erased' }] as const;
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };

  assert.deepEqual(linesOf({ metadata, status: { conditions } }), [
    'Machine worker-0: waiting for host host-0 to be erased',
  ]);
  assert.deepEqual(linesOf({ metadata }), ['Machine worker-0: being taken apart']);
});
