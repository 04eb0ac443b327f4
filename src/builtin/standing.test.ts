// The built-in controllers with timers alone: when no watch event arrives, all comes to the same end, only later.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../base/clock.ts';
import { Node } from '../kube/core/node.ts';
import { ConfigMap, Namespace, ServiceAccount } from '../kube/core/other.ts';
import { Pod } from '../kube/core/pod.ts';
import { withoutEvents } from '../kube/without-events.testing.ts';
import { builtinControllers } from './index.ts';
import { nodeNamed, podIn, podNamed, renew, report } from './objects.testing.ts';
import { aWorld, type TestWorld } from './world.testing.ts';

let world: TestWorld;

beforeEach(async () => {
  world = await aWorld({ between: withoutEvents });
  const signer = { inspect: () => Promise.reject(new Error('none')), sign: () => Promise.reject(new Error('none')) };
  world.run(builtinControllers({ discovery: world.discovery, mintToken: async () => 'token', signer }));
  await world.pass(seconds(5));
});

afterEach(() => world.stop());

/** Passes time in which the agent renews its Lease. */
async function alive(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += seconds(10)) {
    await renew(world, 'mac-0');
    await world.pass(seconds(10));
  }
}

test('garbage goes, namespaces fill and empty', async () => {
  await world.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  const map = (name: string, uid?: string): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'team',
      ...(uid === undefined ? {} : { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] }),
    },
  });
  const owner = await world.api.create(ConfigMap, map('owner'));
  await world.api.create(ConfigMap, map('child', owner.metadata.uid));
  await world.pass(minutes(25));
  const account = await world.api.find(ServiceAccount, { namespace: 'team', name: 'default' });
  await world.api.delete(ConfigMap, { namespace: 'team', name: 'owner' });
  await world.pass(minutes(25));
  const child = await world.api.find(ConfigMap, { namespace: 'team', name: 'child' });

  await world.api.delete(Namespace, { name: 'team' });
  await world.pass(minutes(25));

  assert.notEqual(account, undefined);
  assert.equal(child, undefined);
  assert.equal(await world.api.find(Namespace, { name: 'team' }), undefined);
});

test('a Node whose Lease is renewed unseen stays ready and keeps its Pods; a dead one loses them', async () => {
  await world.api.create(Node, nodeNamed('mac-0'));
  await report(world, 'mac-0');
  await world.api.create(Pod, podNamed('vm'));
  await alive(minutes(25));
  const bound = await podIn(world, 'vm');
  const ready = (await world.api.get(Node, { name: 'mac-0' })).status?.conditions?.[0]?.status;

  await world.pass(minutes(25));

  assert.equal(bound?.spec.nodeName, 'mac-0');
  assert.equal(bound?.metadata.deletionTimestamp, undefined);
  assert.equal(ready, 'True');
  assert.notEqual((await podIn(world, 'vm'))?.metadata.deletionTimestamp, undefined);
});
