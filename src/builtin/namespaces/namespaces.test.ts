// Namespaces that are deleted, on the embedded API: all content goes, and what is in the way is named.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { ConfigMap, Namespace, Secret } from '../../kube/core/other.ts';
import { Pod } from '../../kube/core/pod.ts';
import { keyController } from '../../kube/run.ts';
import type { Transport } from '../../kube/transport.ts';
import { podNamed } from '../objects.testing.ts';
import { contentOf } from '../served/content.ts';
import { aWorld, type TestWorld, withCrds } from '../world.testing.ts';
import { namespaceDeletion } from './controller.ts';

let world: TestWorld;
let refuse: (call: string) => boolean;

beforeEach(async () => {
  refuse = () => false;
  const between =
    (transport: Transport): Transport =>
    async request =>
      refuse(`${request.method} ${request.path}`)
        ? { status: 503, headers: {}, body: new TextEncoder().encode('down') }
        : transport(request);
  world = await aWorld({ between });
  await withCrds(world);
  await world.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  const { discovery } = world;
  world.run([
    keyController(
      namespaceDeletion({ discovery, content: ({ caches }) => contentOf(caches, discovery), recheckMs: seconds(5) }),
    ),
  ]);
});

afterEach(() => world.stop());

const machine: Machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'mac-0', namespace: 'team', finalizers: ['x.test/held'] },
  spec: { clusterName: 'c', bootstrap: {}, infrastructureRef: { apiGroup: 'x', kind: 'Mac', name: 'mac-0' } },
};

const team = (): Promise<Namespace | undefined> => world.api.find(Namespace, { name: 'team' });

const says = async (type: string): Promise<string | undefined> =>
  (await team())?.status?.conditions?.find(condition => condition.type === type)?.message;

test('a namespace goes with all that is in it, of built-in and custom kinds', async () => {
  const map: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team' } };
  await world.api.create(ConfigMap, map);
  await world.api.create(Machine, { ...machine, metadata: { name: 'mac-0', namespace: 'team' } });

  await world.api.delete(Namespace, { name: 'team' });
  await world.pass(seconds(10));

  assert.equal(await team(), undefined);
  assert.deepEqual((await world.api.list(Machine, { namespace: 'team' })).items, []);
});

test('what holds a namespace is named by kind and by finalizer, and it goes when that is gone', async () => {
  await world.api.create(Machine, machine);
  await world.api.delete(Namespace, { name: 'team' });
  await world.pass(seconds(10));
  const remaining = await says('NamespaceContentRemaining');
  const finalizers = await says('NamespaceFinalizersRemaining');

  await world.api.patch(Machine, { namespace: 'team', name: 'mac-0' }, { metadata: { finalizers: null } });
  await world.pass(seconds(10));

  assert.equal(remaining, 'Some resources are remaining: machines.cluster.x-k8s.io has 1 resource instances');
  assert.match(finalizers ?? '', /x\.test\/held in 1 resource instances$/);
  assert.equal(await team(), undefined);
});

test('Pods go before what they use', async () => {
  await world.api.create(Pod, podNamed('vm', {}, { namespace: 'team', finalizers: ['x.test/vm'] }));
  await world.api.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'team' } });
  await world.api.delete(Namespace, { name: 'team' });
  await world.pass(seconds(60));
  const whilePod = await world.api.find(Secret, { namespace: 'team', name: 's' });

  await world.api.patch(Pod, { namespace: 'team', name: 'vm' }, { metadata: { finalizers: null } });
  await world.api.delete(Pod, { namespace: 'team', name: 'vm' }, { graceSeconds: 0 }).catch(() => undefined);
  await world.pass(seconds(60));

  assert.notEqual(whilePod, undefined);
  assert.equal(await team(), undefined);
});

test('a group that discovery cannot read holds the namespace: what it has is unknown', async () => {
  refuse = call => call === 'GET /apis/cluster.x-k8s.io/v1beta2';
  await world.api.delete(Namespace, { name: 'team' });
  await world.pass(seconds(60));
  const held = await says('NamespaceDeletionDiscoveryFailure');

  refuse = () => false;
  await world.pass(seconds(60));

  assert.match(held ?? '', /^Discovery failed for some groups, 1 failing: cluster\.x-k8s\.io\/v1beta2$/);
  assert.equal(await team(), undefined);
});

test('a namespace that is not being deleted is left alone', async () => {
  await world.api.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'team' } });

  await world.pass(seconds(60));

  assert.notEqual(await world.api.find(Secret, { namespace: 'team', name: 's' }), undefined);
});
