// The garbage collector on the embedded API: what goes, what waits, what stays.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { ConfigMap, Namespace, Secret } from '../../kube/core/other.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../kube/object.ts';
import { periodic } from '../../kube/run.ts';
import type { Transport } from '../../kube/transport.ts';
import { contentOf } from '../served/content.ts';
import { aWorld, type TestWorld, withCrds } from '../world.testing.ts';
import { garbageCollector } from './controller.ts';

let world: TestWorld;
let refuse: (path: string) => boolean;

beforeEach(async () => {
  refuse = () => false;
  const between =
    (transport: Transport): Transport =>
    async request =>
      refuse(`${request.method} ${request.path}`)
        ? { status: 403, headers: {}, body: new TextEncoder().encode('{"kind":"Status","reason":"Forbidden"}') }
        : transport(request);
  world = await aWorld({ between });
});

afterEach(() => world.stop());

function collect(): Promise<void> {
  let content: ReturnType<typeof contentOf> | undefined;
  world.run([
    periodic(
      garbageCollector({
        content: ({ caches }) => {
          content ??= contentOf(caches, world.discovery);
          return content;
        },
        resyncMs: 60_000,
        everyMs: 1000,
      }),
    ),
  ]);
  return world.pass(5000);
}

const map = (name: string, more: Partial<ObjectMeta> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...more },
});

const ownedBy = (owner: KubeObject, more: Partial<OwnerReference> = {}): Partial<ObjectMeta> => ({
  ownerReferences: [
    {
      apiVersion: owner.apiVersion,
      kind: owner.kind,
      name: owner.metadata.name,
      uid: owner.metadata.uid ?? '',
      ...more,
    },
  ],
});

const names = async (): Promise<readonly string[]> =>
  (await world.api.list(ConfigMap, { namespace: 'default' })).items.map(item => item.metadata.name).sort();

test('dependents go in the background after their owner, whatever the kind, and theirs after them', async () => {
  await withCrds(world);
  const machine = await world.api.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'mac-0', namespace: 'default' },
    spec: { clusterName: 'c', bootstrap: {}, infrastructureRef: { apiGroup: 'x', kind: 'Mac', name: 'mac-0' } },
  });
  // References may name any served version of a kind.
  const child = await world.api.create(
    ConfigMap,
    map('child', ownedBy({ ...machine, apiVersion: 'cluster.x-k8s.io/v1beta1' })),
  );
  await world.api.create(ConfigMap, map('grandchild', ownedBy(child)));
  await world.api.create(ConfigMap, map('stranger'));
  await collect();

  await world.api.delete(Machine, { namespace: 'default', name: 'mac-0' });
  await world.pass(5000);

  assert.deepEqual(await names(), ['stranger']);
});

test('a dependent goes as soon as its owner is seen to be gone', async () => {
  const owner = await world.api.create(ConfigMap, map('owner'));
  await world.api.create(ConfigMap, map('child', ownedBy(owner)));
  await collect();

  await world.api.delete(ConfigMap, { namespace: 'default', name: 'owner' });
  await world.pass(10);

  assert.deepEqual(await names(), []);
});

test('an owner that is deleted in the foreground waits for the dependents that block it', async () => {
  const owner = await world.api.create(ConfigMap, map('owner'));
  await world.api.create(
    ConfigMap,
    map('blocking', { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['x.test/held'] }),
  );
  await world.api.create(ConfigMap, map('free', ownedBy(owner)));
  await collect();

  await world.api.delete(ConfigMap, { namespace: 'default', name: 'owner' }, { propagation: 'Foreground' });
  await world.pass(5000);
  const whileHeld = await names();
  await world.api.patch(ConfigMap, { namespace: 'default', name: 'blocking' }, { metadata: { finalizers: null } });
  await world.pass(5000);

  assert.deepEqual(whileHeld, ['blocking', 'owner']);
  assert.deepEqual(await names(), []);
});

test('an owner that is deleted as an orphan lets its dependents live', async () => {
  const owner = await world.api.create(ConfigMap, map('owner'));
  await world.api.create(ConfigMap, map('child', ownedBy(owner)));
  await collect();

  await world.api.delete(ConfigMap, { namespace: 'default', name: 'owner' }, { propagation: 'Orphan' });
  await world.pass(120_000);

  const child = await world.api.get(ConfigMap, { namespace: 'default', name: 'child' });
  assert.deepEqual(await names(), ['child']);
  assert.deepEqual(child.metadata.ownerReferences ?? [], []);
});

test('one owner that lives keeps the object and only the dead reference goes', async () => {
  const dead = await world.api.create(ConfigMap, map('dead'));
  const alive = await world.api.create(ConfigMap, map('alive'));
  const both = [...(ownedBy(dead).ownerReferences ?? []), ...(ownedBy(alive).ownerReferences ?? [])];
  await world.api.create(ConfigMap, map('child', { ownerReferences: both }));
  await collect();

  await world.api.delete(ConfigMap, { namespace: 'default', name: 'dead' });
  await world.pass(5000);

  const child = await world.api.get(ConfigMap, { namespace: 'default', name: 'child' });
  assert.deepEqual(
    child.metadata.ownerReferences?.map(owner => owner.name),
    ['alive'],
  );
});

test('an owner that cannot be read is not an absent one', async () => {
  const owner = await world.api.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'owner', namespace: 'default' },
  });
  await world.api.create(ConfigMap, map('child', ownedBy(owner)));
  refuse = call => call.startsWith('GET') && call.includes('/secrets');
  await world.api.delete(Secret, { namespace: 'default', name: 'owner' });
  await collect();
  await world.pass(120_000);
  const whileForbidden = await names();

  refuse = () => false;
  await world.pass(120_000);

  assert.deepEqual(whileForbidden, ['child']);
  assert.deepEqual(await names(), []);
});

test('an owner of a kind that nobody serves keeps what refers to it', async () => {
  const owner = { apiVersion: 'gone.example.com/v1', kind: 'Gone', metadata: { name: 'x', uid: 'u-1' } };
  await world.api.create(ConfigMap, map('child', ownedBy(owner)));
  await collect();

  await world.pass(120_000);

  assert.deepEqual(await names(), ['child']);
});

test('an owner of that name in another namespace, or of another UID, is none', async () => {
  await world.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  const elsewhere = await world.api.create(ConfigMap, {
    ...map('owner'),
    metadata: { name: 'owner', namespace: 'other' },
  });
  const here = await world.api.create(ConfigMap, map('owner'));
  await world.api.create(ConfigMap, map('of-another-namespace', ownedBy(elsewhere)));
  await world.api.create(
    ConfigMap,
    map('of-another-uid', ownedBy({ ...here, metadata: { ...here.metadata, uid: 'u-2' } })),
  );
  await world.api.create(ConfigMap, map('of-here', ownedBy(here)));

  await collect();
  await world.pass(5000);

  assert.deepEqual(await names(), ['of-here', 'owner']);
});

test('what objects of a new kind own is garbage as soon as they go', async () => {
  await collect();
  await withCrds(world);
  await world.pass(1000);
  const machine = await world.api.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'mac-0', namespace: 'default' },
    spec: { clusterName: 'c', bootstrap: {}, infrastructureRef: { apiGroup: 'x', kind: 'Mac', name: 'mac-0' } },
  });
  await world.api.create(ConfigMap, map('child', ownedBy(machine)));
  await world.pass(1000);

  await world.api.delete(Machine, { namespace: 'default', name: 'mac-0' });
  await world.pass(1000);

  assert.deepEqual(await names(), []);
});

test('a reference that names another kind or name than what bears its uid is one to nothing', async () => {
  const owner = await world.api.create(ConfigMap, map('owner'));
  await world.api.create(ConfigMap, map('misnamed', ownedBy(owner, { name: 'other' })));
  await world.api.create(ConfigMap, map('mistyped', ownedBy(owner, { kind: 'Secret' })));
  await collect();

  assert.deepEqual(await names(), ['owner']);
});
