// Fault 7.16: Datas are looked after with whichever kinds of claims are served, and the other kind is taken up when it comes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../../base/clock.ts';
import { noMetrics } from '../../base/metrics.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import metalDefinitions from '../../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import standIns from '../../kinds/generated/metal-stand-ins.generated.json' with { type: 'json' };
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Runnable } from '../../kube/run.ts';
import { dataController } from '../../metal/data/controller.ts';
import {
  aData,
  aDataTest,
  aServedClaim,
  aTemplate,
  claimOwner,
  DATA_KINDS,
  dataNamed,
  LABELS,
} from '../../metal/data/data-world.testing.ts';
import { aCluster, at, said } from '../../metal/objects.testing.ts';
import type { MetalTest } from '../../metal/workload/world.testing.ts';
import type { MetalWorld } from '../../metal/world.ts';
import { ControllerStates } from './controller-states.ts';
import { ServedKinds } from './served-kinds.ts';
import { whileServed } from './while-served.ts';

const METAL3 = { name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' };
const FOREIGN = { name: 'other', kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' };

const addressFrom = (...pools: readonly (typeof METAL3)[]): Metal3DataTemplate['spec'] => ({
  networkData: {
    networks: { ipv4: pools.map(fromPoolRef => ({ id: fromPoolRef.name, link: 'eth0', fromPoolRef })) },
  },
});

const without = (kinds: readonly Kind[]): readonly Kind[] => DATA_KINDS.filter(kind => !kinds.includes(kind));

async function aFleet(kinds: readonly Kind[], spec: Metal3DataTemplate['spec']) {
  const t = await aDataTest(undefined, kinds);
  const states = new ControllerStates(noMetrics);
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', spec);
  const claim = await aServedClaim(t, 'm0');
  const ownerReferences = [claimOwner(claim), ...(claim.metadata.ownerReferences ?? [])];
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { labels: LABELS, ownerReferences } });
  const data = dataController();
  const servedAmong = async (asked: readonly Kind[]): Promise<ReadonlySet<Kind>> => {
    const answers = await Promise.all(asked.map(async kind => [kind, await t.api.serves(kind)] as const));
    return new Set(answers.filter(([, isServed]) => isServed).map(([kind]) => kind));
  };
  const served = new ServedKinds({ ...t.world, servedAmong }, [...(data.kinds ?? []), ...(data.dispensable ?? [])]);
  const looking: Runnable<MetalWorld> = { name: 'served', start: (_, signal) => served.run(signal) };
  t.run(looking, whileServed(data, { served, states }));
  await t.pass(minutes(1));
  return { t, states };
}

async function define({ api }: MetalTest, kinds: readonly Kind[]): Promise<void> {
  const names = new Set(kinds.map(resourceName));
  for (const each of [...metalDefinitions, ...standIns]) {
    if (names.has(each.metadata.name)) await api.create<CustomResourceDefinition>(CustomResourceDefinition, each);
  }
}

const leases = async ({ api }: MetalTest, kind: Kind): Promise<readonly string[]> =>
  (await api.list<KubeObject>(kind)).items.map(({ metadata }) => metadata.name);

const CAPI = [IPAddressClaim, CapiIPAddress];

test("metal-7.16: a template with Metal3's pools works where Cluster API's claims are not served", async () => {
  const { t, states } = await aFleet(without(CAPI), addressFrom(METAL3));

  assert.equal(
    states.page(),
    'metal3-data  on, without ipaddressclaims.ipam.cluster.x-k8s.io, ipaddresses.ipam.cluster.x-k8s.io\n',
  );
  assert.deepEqual(await leases(t, IPClaim), ['abc-0-pool']);
  await t.stop();
});

test('metal-7.16: a template that needs a kind which is not served says so, and is served once it is', async () => {
  const { t, states } = await aFleet(without(CAPI), addressFrom(FOREIGN, METAL3));
  const before = said(await t.api.get(Metal3Data, at('abc-0')), 'Ready');

  await define(t, CAPI);
  await t.pass(minutes(1));

  assert.equal(
    before,
    'False KindNotServed: Waiting for ipaddressclaims.ipam.cluster.x-k8s.io and ipaddresses.ipam.cluster.x-k8s.io, which InClusterIPPool other of Metal3DataTemplate abc needs, to be served on this cluster',
  );
  assert.deepEqual(await leases(t, IPClaim), ['abc-0-pool'], 'the other pool was not held up');
  assert.deepEqual(await leases(t, IPAddressClaim), ['abc-0-other']);
  assert.equal(states.page(), 'metal3-data  on\n');
  await t.stop();
});

test("a template with another provider's pools works where Metal3's own kinds are not served", async () => {
  const { t } = await aFleet(without([IPClaim, IPAddress]), addressFrom(FOREIGN));

  assert.deepEqual(await leases(t, IPAddressClaim), ['abc-0-other']);
  await t.stop();
});

test('a Data goes away where no kind of claims is served', async () => {
  const { t } = await aFleet(without([IPClaim, IPAddress, ...CAPI]), addressFrom(METAL3));
  await t.api.delete(Metal3Data, at('abc-0'));
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { finalizers: [METAL3_DATA_FINALIZER] } });
  await t.pass(minutes(2));

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});
