// What becomes of a deleted machine's host, claim and board Secret, in which order, and what may be missing meanwhile.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { Unavailable } from '../../kube/errors.ts';
import { at, ownedBy } from '../objects.testing.ts';
import { aFleet, type Fleet, IMAGE, provisionedFleet } from './fleet.testing.ts';

let fleet: Fleet;
let isCut: ((method: string, path: string) => boolean) | undefined;
/** Comes before a request of a controller. */
let before: ((method: string, path: string) => Promise<void>) | undefined;
beforeEach(async () => {
  [isCut, before] = [undefined, undefined];
  fleet = await aFleet(next => async request => {
    await before?.(request.method, request.path);
    if (isCut?.(request.method, request.path)) throw new Unavailable(request.path, 'cut');
    return next(request);
  });
});
afterEach(() => fleet.stop());

const isThere = async (name = 'm1'): Promise<boolean> => (await fleet.api.find(Metal3Machine, at(name))) !== undefined;

const remove = async (name = 'm1'): Promise<void> => {
  await fleet.api.delete(Metal3Machine, at(name));
  await fleet.pass(200);
};

test('the claim keeps its finalizer until the host is deprovisioned and off (metal-h1, metal-S1)', async () => {
  await provisionedFleet(fleet);

  await remove();
  for (const [state, poweredOn] of [
    ['provisioned', true],
    ['deprovisioning', true],
    ['available', true],
  ] as const) {
    await fleet.state('h1', state, { poweredOn });
    await fleet.pass(200);
    const claim = await fleet.claimOf('m1');
    assert.deepEqual(claim?.metadata.finalizers, [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER], state);
    assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1');
  }
  assert.match(await fleet.said('m1', 'Deleting'), /^True ReleaseHost: .*BareMetalHost h1 to be powered off/);
  assert.match(await fleet.said('m1', 'AssociateMetal3MachineMetaData'), /^False Deleting/);
  assert.match(await fleet.said('m1', 'Ready'), /^False NotReady/);

  await fleet.state('h1', 'available', { poweredOn: false });
  await fleet.pass(200);

  assert.equal(await isThere(), false);
  assert.deepEqual((await fleet.claimOf('m1'))?.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
  assert.notEqual((await fleet.claimOf('m1'))?.metadata.deletionTimestamp, undefined);
});

test('a released host keeps nothing of the machine: no image, no references, no labels (metal-h2)', async () => {
  await provisionedFleet(fleet);

  await remove();
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  const { spec, metadata } = await fleet.hostOf('h1');
  assert.deepEqual(spec, { online: false, bmc: { address: 'redfish://bmc', credentialsName: 'h1-bmc' } });
  assert.deepEqual([metadata.labels, metadata.annotations], [undefined, undefined]);
  const secret = await fleet.api.get(Secret, at('h1-bmc'));
  assert.equal(secret.metadata.labels?.['cluster.x-k8s.io/cluster-name'], undefined);
  assert.equal(secret.data?.password, 'c2VjcmV0');
});

test('references that were its owner’s before the machine stay on the host', async () => {
  const networkData = { name: 'site', namespace: 'metal' };
  await fleet.host('h1', { spec: { networkData } });
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'provisioned', { poweredOn: true });

  await remove();
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.deepEqual((await fleet.hostOf('h1')).spec?.networkData, networkData);
  assert.equal((await fleet.hostOf('h1')).spec?.userData, undefined);
});

test('fast track and a power that must not be cut leave the host on, and do not hold the machine', async () => {
  await fleet.host('h1', { spec: { disablePowerOff: true } });
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'provisioned', { poweredOn: true });
  await remove();

  await fleet.state('h1', 'available', { poweredOn: true });
  await fleet.pass(200);

  assert.equal((await fleet.hostOf('h1')).spec?.online, true);
  assert.equal(await isThere(), false);
});

test('deletion needs no Machine, no Cluster, no Metal3Cluster and no template (metal-G12)', async () => {
  await provisionedFleet(fleet);
  await fleet.api.delete(Machine, at('m1'));
  await fleet.api.delete(Cluster, at('c1'));
  await fleet.api.delete(Metal3Cluster, at('c1'));
  await fleet.pass(200);

  await remove();
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.equal(await isThere(), false);
  assert.equal(await fleet.consumer('h1'), undefined);
});

test('a Cluster that went while its hosts were frozen leaves none of them frozen (metal-G12)', async () => {
  await provisionedFleet(fleet);
  await fleet.api.patch(Cluster, at('c1'), { spec: { paused: true } });
  await fleet.pass(200);
  assert.equal((await fleet.hostOf('h1')).metadata.annotations?.['baremetalhost.metal3.io/paused'], 'metal3.io/capm3');
  await fleet.api.delete(Cluster, at('c1'));

  await remove();

  assert.equal((await fleet.hostOf('h1')).metadata.annotations?.['baremetalhost.metal3.io/paused'], undefined);
});

test('a host that is gone, or was never more than registered, holds nobody (metal-7.9, metal-S23)', async () => {
  await fleet.host('h1', { status: {} });
  await fleet.machine('m1', { metadata: { annotations: { 'metal3.io/BareMetalHost': 'metal/gone' } } });
  await fleet.machine('m2', { spec: { image: IMAGE, providerID: 'metal3://metal/h1/m2' } });
  const annotations = { 'metal3.io/BareMetalHost': 'metal/h1' };
  await fleet.api.patch(Metal3Machine, at('m2'), { metadata: { annotations } });
  await fleet.pass(200);
  assert.equal(await fleet.consumer('h1'), 'Metal3Machine m2');

  await remove('m1');
  await remove('m2');

  assert.deepEqual([await isThere('m1'), await isThere('m2')], [false, false]);
  assert.equal(await fleet.consumer('h1'), undefined);
});

test('a host that is looked at anew is on for that, and runs nothing of the machine: it is not waited for (metal-7.9)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'inspecting', { poweredOn: true });

  await remove();

  assert.equal(await isThere(), false);
  assert.equal((await fleet.hostOf('h1')).spec?.online, false);
  assert.equal(await fleet.consumer('h1'), undefined);
});

test('an externally provisioned host is waited for until it is off, and no longer (metal-7.9)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'externally provisioned', { poweredOn: true });
  await remove();
  assert.match(await fleet.said('m1', 'Deleting'), /BareMetalHost h1 to be powered off/);

  await fleet.state('h1', 'externally provisioned', { poweredOn: false });
  await fleet.pass(200);

  assert.equal(await isThere(), false);
});

test('an externally provisioned host that must not be powered off holds up no deletion (metal-7.9)', async () => {
  await fleet.host('h1', { spec: { disablePowerOff: true } });
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'externally provisioned', { poweredOn: true });

  await remove();

  assert.equal(await isThere(), false);
  assert.equal((await fleet.hostOf('h1')).spec?.online, true);
});

test('a host that is another’s by now is left to that one; only our owner reference goes (metal-S24)', async () => {
  await provisionedFleet(fleet);
  const consumerRef = { apiVersion: 'v1', kind: 'ConfigMap', name: 'somebody', namespace: 'metal' };
  const ownerReferences = [ownedBy(Metal3Machine, await fleet.machineOf('m1'))];
  const theirs = { image: { url: 'http://images/theirs' }, userData: null, metaData: null, networkData: null };
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { ownerReferences }, spec: { consumerRef, ...theirs } });

  await remove();

  const host = await fleet.hostOf('h1');
  assert.equal(await isThere(), false);
  assert.deepEqual([host.spec?.image?.url, host.spec?.online], [theirs.image.url, true]);
  assert.equal(host.metadata.ownerReferences, undefined);
});

test('the owner reference of an earlier provider goes with the reservation, so that no collector takes the host', async () => {
  await provisionedFleet(fleet);
  const ownerReferences = [ownedBy(Metal3Machine, await fleet.machineOf('m1'))];
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { ownerReferences } });

  await remove();
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.equal((await fleet.hostOf('h1')).metadata.ownerReferences, undefined);
});

test('for a paused machine and for a source of a move nothing is written (metal-7.13, metal-S18)', async () => {
  await provisionedFleet(fleet);
  const MOVED = 'clusterctl.cluster.x-k8s.io/delete-for-move';
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: { [MOVED]: '' } } });
  await fleet.pass(200);
  fleet.writes.length = 0;

  await remove();
  await fleet.pass(seconds(90));
  assert.deepEqual(fleet.writes, []);

  const paused = { [MOVED]: null, 'cluster.x-k8s.io/paused': 'true' };
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: paused } });
  await fleet.pass(seconds(90));
  assert.deepEqual(new Set(fleet.writes), new Set(fleet.writesTo('metal3machines/m1/status')));
  assert.match(await fleet.said('m1', 'Paused'), /^True Paused/);

  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: { 'cluster.x-k8s.io/paused': null } } });
  await fleet.state('h1', 'available');
  await fleet.pass(200);
  assert.equal(await isThere(), false);
});

test('clusterctl’s mark counts before any cache shows it (metal-7.13)', async () => {
  await provisionedFleet(fleet);
  const annotations = { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };
  before = async (method, path) => {
    if (method !== 'GET' || !path.endsWith('metal3machines/m1')) return;
    before = undefined;
    await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations } });
  };
  fleet.writes.length = 0;

  await remove();
  await fleet.pass(seconds(60));

  assert.deepEqual(fleet.writesTo('baremetalhosts'), []);
  assert.deepEqual(fleet.writesTo('metal3dataclaims'), []);
});

test('a host that is being moved is not written to, though its machine is not marked (metal-7.13)', async () => {
  await provisionedFleet(fleet);
  const annotations = { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations } });
  await fleet.pass(200);
  fleet.writes.length = 0;

  await remove();
  await fleet.pass(seconds(60));

  assert.deepEqual(fleet.writesTo('baremetalhosts'), []);
  assert.match(await fleet.said('m1', 'Deleting'), /clusterctl to take BareMetalHost h1/);
});

test('a host that cannot be read holds the release: it is not taken for gone (metal-7.4)', async () => {
  await provisionedFleet(fleet);
  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.pass(200);
  isCut = (method, path) => method === 'GET' && path.includes('baremetalhosts/');

  await remove();
  await fleet.pass(seconds(10));
  assert.equal(await isThere(), true);
  assert.deepEqual((await fleet.claimOf('m1'))?.metadata.finalizers?.[0], METAL3_MACHINE_FINALIZER);

  isCut = undefined;
  await fleet.pass(seconds(30));
  assert.equal(await isThere(), false);
});

test('a claim that an earlier machine of this name owns is not touched (metal-G14)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');
  await fleet.pass(200);
  const owner = { ...ownedBy(Metal3Machine, await fleet.machineOf('m1')), uid: 'earlier', controller: true };
  await fleet.api.create(Metal3DataClaim, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'Metal3DataClaim',
    metadata: { name: 'm1', namespace: 'metal', finalizers: [METAL3_MACHINE_FINALIZER], ownerReferences: [owner] },
    spec: { template: { name: 't' } },
  });

  await remove();

  assert.equal(await isThere(), false);
  assert.deepEqual((await fleet.claimOf('m1'))?.metadata.finalizers, [METAL3_MACHINE_FINALIZER]);
  assert.equal((await fleet.claimOf('m1'))?.metadata.deletionTimestamp, undefined);
});

test('a claim that lost its owner goes with the machine of its name all the same: nobody else would take it (metal-d)', async () => {
  await provisionedFleet(fleet);
  await fleet.api.patch(Metal3DataClaim, at('m1'), { metadata: { ownerReferences: null } });
  await fleet.pass(200);
  await remove();
  const held = await fleet.claimOf('m1');

  await fleet.state('h1', 'available');
  await fleet.pass(seconds(90));

  const claim = await fleet.claimOf('m1');
  assert.equal(held?.metadata.deletionTimestamp, undefined);
  assert.equal(await isThere(), false);
  assert.deepEqual(claim?.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
  assert.notEqual(claim?.metadata.deletionTimestamp, undefined);
});

test('a claim that is paused, or that clusterctl moves away, is not let go of, and the machine waits for it (metal-7.13)', async () => {
  for (const [name, annotation] of [
    ['1', 'cluster.x-k8s.io/paused'],
    ['2', 'clusterctl.cluster.x-k8s.io/delete-for-move'],
  ] as const) {
    await provisionedFleet(fleet, name);
    const machine = `m${name}`;
    await fleet.api.patch(Metal3DataClaim, at(machine), { metadata: { annotations: { [annotation]: '' } } });
    await remove(machine);
    await fleet.state(`h${name}`, 'available');

    await fleet.pass(seconds(90));
    const claim = await fleet.claimOf(machine);
    const told = await fleet.said(machine, 'Deleting');
    await fleet.api.patch(Metal3DataClaim, at(machine), { metadata: { annotations: { [annotation]: null } } });
    await fleet.pass(200);

    assert.deepEqual(
      [claim?.metadata.finalizers, claim?.metadata.deletionTimestamp],
      [[METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER], undefined],
    );
    assert.match(told, new RegExp(`Metal3DataClaim ${machine} to be written to again`));
    assert.equal(await isThere(machine), false);
  }
});
