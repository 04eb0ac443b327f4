// The way from a reserved host to one that runs: gates, claim, data, what the host is told, and whose claim counts.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { at, ownedBy, put } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet, IMAGE, provisionedFleet } from './fleet.testing.ts';
import { provisioning } from './provisioning.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
});
afterEach(() => fleet.stop());

const WITH_DATA = { image: IMAGE, dataTemplate: { name: 't' } };

test('each gate is named by upstream’s reason, and opened by the watch', async () => {
  await fleet.host('h1');
  await fleet.api.delete(Metal3Cluster, at(CLUSTER));
  const notReady = { status: { initialization: { infrastructureProvisioned: false } } };
  await fleet.api.patch(Cluster, at(CLUSTER), notReady, { subresource: 'status' });
  await put(fleet.api, Metal3Machine, 'm1', { spec: { image: IMAGE } });
  const reason = async (): Promise<string> => {
    await fleet.pass(200);
    return (await fleet.said('m1', 'AssociateBareMetalHost')).split(':')[0] ?? '';
  };
  assert.equal(await reason(), 'False WaitingForMetal3MachineOwnerRef');

  const infrastructureRef = { apiGroup: Metal3Machine.group, kind: 'Metal3Machine', name: 'm1' };
  const machine = await put(fleet.api, Machine, 'm1', {
    spec: { clusterName: CLUSTER, bootstrap: {}, infrastructureRef },
  });
  const ownerReferences = [ownedBy(Machine, machine)];
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { ownerReferences } });
  assert.equal(await reason(), 'False WaitingForClusterInfrastructureReady');

  const ready = { status: { initialization: { infrastructureProvisioned: true } } };
  await fleet.api.patch(Cluster, at(CLUSTER), ready, { subresource: 'status' });
  assert.equal(await reason(), 'False WaitingforMetal3Cluster');

  await put(fleet.api, Metal3Cluster, CLUSTER, { spec: { controlPlaneEndpoint: { host: '192.0.2.1', port: 6443 } } });
  assert.equal(await reason(), 'False WaitingForBootstrapData');

  await fleet.api.patch(Machine, at('m1'), { spec: { bootstrap: { dataSecretName: 'boot' } } });
  assert.equal(await reason(), 'True AssociateBareMetalHostSuccess');
});

test('a Machine of the owner’s name but another UID is not the owner (metal-f)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');
  const machine = await fleet.api.get(Machine, at('m1'));
  const ownerReferences = [{ ...ownedBy(Machine, machine), uid: 'earlier' }];
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { ownerReferences } });

  await fleet.pass(200);

  assert.match(await fleet.said('m1', 'AssociateBareMetalHost'), /WaitingForMetal3MachineOwnerRef/);
  assert.equal(await fleet.consumer('h1'), undefined);
});

test('without a data template the host is told at once what to run', async () => {
  await fleet.host('h1');
  const metaData = { name: 'given-meta', namespace: 'metal' };
  await fleet.machine('m1', { spec: { image: IMAGE, metaData, automatedCleaningMode: 'disabled' } });

  await fleet.pass(200);

  const { spec } = await fleet.hostOf('h1');
  const { diskFormat, ...image } = IMAGE;
  assert.deepEqual(spec?.image, { ...image, format: diskFormat });
  assert.deepEqual(spec?.userData, { name: 'boot', namespace: 'metal' });
  assert.deepEqual([spec?.metaData, spec?.networkData], [metaData, undefined]);
  assert.deepEqual([spec?.online, spec?.automatedCleaningMode], [true, 'disabled']);
  assert.equal(await fleet.said('m1', 'Metal3DataReady'), 'True SecretsSetExternally: ');
  assert.equal(await fleet.said('m1', 'Ready'), 'True Ready: ');
  assert.match(await fleet.said('m1', 'BareMetalHostProvisioned'), /^False Provisioning: .*now available/);
});

test('the claim bears both finalizers, the machine’s labels and its owner from the start', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { metadata: { labels: { team: 'a' } }, spec: WITH_DATA });

  await fleet.pass(200);

  const claim = await fleet.claimOf('m1');
  const machine = await fleet.machineOf('m1');
  assert.deepEqual(claim?.metadata.finalizers, [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);
  assert.deepEqual(claim?.metadata.labels, { team: 'a', 'cluster.x-k8s.io/cluster-name': CLUSTER });
  assert.deepEqual(
    claim?.metadata.ownerReferences?.map(({ uid, controller }) => [uid, controller]),
    [[machine.metadata.uid, true]],
  );
  assert.deepEqual(claim?.spec?.template, { name: 't', namespace: 'metal' });
  assert.deepEqual(
    fleet.writesTo('metal3dataclaims').map(write => write.split(' ')[0]),
    ['POST'],
  );
});

test('the host is told nothing before the data is ready, and then all of it in one write', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: WITH_DATA });
  await fleet.pass(200);
  assert.equal((await fleet.hostOf('h1')).spec?.image, undefined);
  assert.match(await fleet.said('m1', 'Metal3DataReady'), /^False WaitingForMetal3Data: .*Metal3DataClaim m1/);
  assert.match(await fleet.said('m1', 'Ready'), /^False NotReady: Metal3DataReady: /);

  await fleet.rendered('m1', 't-3');
  await fleet.pass(200);

  const { spec } = await fleet.hostOf('h1');
  assert.deepEqual(
    [spec?.userData?.name, spec?.metaData?.name, spec?.networkData?.name],
    ['boot', 'm1-metadata', 'm1-networkdata'],
  );
  const { status } = await fleet.machineOf('m1');
  assert.deepEqual(status?.renderedData, { name: 't-3', namespace: 'metal' });
  assert.equal(await fleet.said('m1', 'Metal3DataReady'), 'True Metal3DataSecretsReady: ');
});

test('a secret that the spec names wins over the rendered one', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: { ...WITH_DATA, networkData: { name: 'given' } } });
  await fleet.pass(200);
  await fleet.rendered('m1', 't-0');

  await fleet.pass(200);

  const { spec } = await fleet.hostOf('h1');
  assert.deepEqual([spec?.metaData?.name, spec?.networkData?.name], ['m1-metadata', 'given']);
});

test('data that is not ready, or that another claim got, is not used (metal-7.1)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: WITH_DATA });
  await fleet.pass(200);
  await put(fleet.api, Metal3Data, 't-0', {
    spec: { index: 0, claim: { name: 'm1' }, template: { name: 't' } },
    status: { ready: true },
  });
  const status = { renderedData: { name: 't-0', namespace: 'metal' } };
  await fleet.api.patch(Metal3DataClaim, at('m1'), { status }, { subresource: 'status' });
  await fleet.pass(200);
  assert.match(await fleet.said('m1', 'Metal3DataReady'), /Metal3Data t-0 of another claim to be gone/);

  const claim = await fleet.api.get(Metal3DataClaim, at('m1'));
  const metadata = { ownerReferences: [ownedBy(Metal3DataClaim, claim)] };
  const unready = { status: { ready: false, errorMessage: 'no pool p' } };
  await fleet.api.patch(Metal3Data, at('t-0'), unready, { subresource: 'status' });
  await fleet.api.patch(Metal3Data, at('t-0'), { metadata });
  await fleet.pass(200);
  assert.match(await fleet.said('m1', 'Metal3DataReady'), /Metal3Data t-0 to be ready: no pool p/);
  assert.equal((await fleet.hostOf('h1')).spec?.image, undefined);
});

test('a claim of an earlier machine of this name is waited for, and never adopted (metal-G14)', async () => {
  await fleet.host('h1');
  const owner = { apiVersion: apiVersionOf(Metal3Machine), kind: 'Metal3Machine', name: 'm1', uid: 'earlier' };
  await put(fleet.api, Metal3DataClaim, 'm1', {
    metadata: { ownerReferences: [owner], finalizers: ['test/holds'] },
    spec: { template: { name: 't' } },
  });
  await fleet.machine('m1', { spec: WITH_DATA });
  await fleet.pass(200);
  assert.match(await fleet.said('m1', 'AssociateMetal3MachineMetaData'), /^False ClaimOfPredecessor: /);

  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.api.patch(Metal3DataClaim, at('m1'), { metadata: { finalizers: [] } });
  await fleet.pass(200);

  const claim = await fleet.claimOf('m1');
  assert.equal(claim?.metadata.ownerReferences?.[0]?.uid, (await fleet.machineOf('m1')).metadata.uid);
});

test('a claim deleted before the host got anything of it is made again (metal-7.1)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: WITH_DATA });
  await fleet.pass(200);
  const before = await fleet.claimOf('m1');

  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.pass(200);
  assert.deepEqual((await fleet.claimOf('m1'))?.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
  await fleet.api.patch(Metal3DataClaim, at('m1'), { metadata: { finalizers: [] } });
  await fleet.pass(200);

  assert.notEqual((await fleet.claimOf('m1'))?.metadata.uid, before?.metadata.uid);
});

test('a claim deleted while its host runs keeps its finalizer as long as the machine is there (metal-S2)', async () => {
  await provisionedFleet(fleet);

  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.pass(seconds(60));

  const claim = await fleet.claimOf('m1');
  assert.deepEqual(claim?.metadata.finalizers, [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);
  assert.equal(await fleet.said('m1', 'Ready'), 'True Ready: ');
});

test('what a host runs is never exchanged; power and cleaning follow the machine', async () => {
  await provisionedFleet(fleet);
  const { spec: before } = await fleet.hostOf('h1');
  const spec = { image: { url: 'http://other' }, automatedCleaningMode: 'metadata' };

  await fleet.api.patch(Metal3Machine, at('m1'), { spec });
  await fleet.pass(200);

  const { spec: after } = await fleet.hostOf('h1');
  assert.deepEqual(after?.image, before?.image);
  assert.equal(after?.automatedCleaningMode, 'metadata');
});

test('a machine with nothing to run names the missing fields (metal-7.18)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: WITH_DATA });
  await fleet.pass(200);
  const { image: _none, ...spec } = (await fleet.machineOf('m1')).spec ?? {};

  const pass = provisioning.run({ ...(await fleet.machineOf('m1')), spec }, fleet.world);

  await assert.rejects(pass, /spec\.image\.url and spec\.customDeploy: both are missing/);
});

test('a host can be told a method of deployment instead of an image', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: { customDeploy: { method: 'install_coreos' } } });

  await fleet.pass(200);

  const { spec } = await fleet.hostOf('h1');
  assert.deepEqual([spec?.customDeploy, spec?.image], [{ method: 'install_coreos' }, undefined]);
});

test('a host that clusterctl takes away is told nothing (metal-7.13)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: WITH_DATA });
  await fleet.pass(200);
  const annotations = { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations } });

  await fleet.rendered('m1', 't-0');
  await fleet.pass(200);

  assert.equal((await fleet.hostOf('h1')).spec?.image, undefined);
  assert.match(await fleet.said('m1', 'BareMetalHostProvisioned'), /clusterctl to take BareMetalHost h1/);
});

test('the bootstrap data’s Secret wins over spec.userData, and its config’s name stands in for it', async () => {
  await fleet.host('h1');
  await fleet.host('h2');
  await fleet.machine('m1', { spec: { image: IMAGE, userData: { name: 'given' } } });
  const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'config-2' };
  await fleet.machine('m2', { machine: { bootstrap: { configRef } } });
  const status = { initialization: { bootstrapDataSecretCreated: true } };
  await fleet.api.patch(Machine, at('m2'), { status }, { subresource: 'status' });

  await fleet.pass(200);

  const userData = async (name: string): Promise<string | undefined> =>
    (await fleet.machineOf(name)).status?.userData?.name;
  assert.deepEqual([await userData('m1'), await userData('m2')], ['boot', 'config-2']);
});
