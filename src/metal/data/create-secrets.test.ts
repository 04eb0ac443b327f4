// The upstream cases of createSecrets and of the look-ups before it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { aCluster, at, ownedBy, put, said } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { NS } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import {
  aData,
  aDataTest,
  aServedClaim,
  aTemplate,
  claimOwner,
  dataNamed,
  LABELS,
  secretText,
} from './data-world.testing.ts';

const BOTH: Metal3DataTemplate['spec'] = {
  metaData: { strings: [{ key: 'String-1', value: 'String-1' }] },
  networkData: {
    links: { ethernets: [{ type: 'phy', id: 'eth0', mtu: 1500, macAddress: { string: '12:34:56:78:9A:BC' } }] },
  },
};

async function running(template: Metal3DataTemplate['spec'] = BOTH): Promise<MetalTest> {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  if (template !== undefined) await aTemplate(t, 'abc', template);
  t.run(dataController());
  return t;
}

/** A Data of `m0`, whose Claim, machines and host are there. */
async function servedData(t: MetalTest, more: Partial<Parameters<typeof aData>[2]> = {}): Promise<Metal3Data> {
  const claim = await aServedClaim(t, 'm0');
  const metadata = { labels: LABELS, ownerReferences: [claimOwner(claim), ...(claim.metadata.ownerReferences ?? [])] };
  return aData(t, 'abc-0', { index: 0, claim: 'm0', metadata, ...more });
}

const ready = async (t: MetalTest) => (await dataNamed(t, 'abc-0'))?.status?.ready;
const why = async (t: MetalTest) => said(await t.api.get(Metal3Data, at('abc-0')), 'Ready');

test('createSecrets: none exist, so both are made, with label, type, owner and upstream’s bytes', async () => {
  const t = await running();
  const data = await servedData(t);

  await t.pass(0);

  assert.equal(await ready(t), true);
  assert.equal(await secretText(t, 'm0-metadata'), `String-1: String-1\nproviderid: ${NS}/host-m0/m0\n`);
  assert.equal(
    await secretText(t, 'm0-networkdata'),
    'links:\n- ethernet_mac_address: 12:34:56:78:9A:BC\n  id: eth0\n  mtu: 1500\n  type: phy\nnetworks: []\nservices: []\n',
  );
  const secret = await t.api.get(Secret, at('m0-metadata'));
  assert.equal(secret.type, 'infrastructure.cluster.x-k8s.io/secret');
  assert.deepEqual(secret.metadata.labels, LABELS);
  assert.equal(secret.metadata.ownerReferences?.[0]?.uid, data.metadata.uid);
  assert.equal(secret.metadata.ownerReferences?.[0]?.controller, true);
  assert.deepEqual((await dataNamed(t, 'abc-0'))?.spec?.metaData, { name: 'm0-metadata', namespace: NS });
  await t.stop();
});

test('createSecrets: existing secrets of this Data are left as they are, and no host is asked', async () => {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', BOTH);
  const data = await servedData(t);
  await t.api.delete(BareMetalHost, at('host-m0'));
  for (const name of ['m0-metadata', 'm0-networkdata']) {
    await put(t.api, Secret, name, {
      metadata: { labels: LABELS, ownerReferences: [ownedBy(Metal3Data, data)] },
      data: { old: 'b2xk' },
    });
  }

  t.run(dataController());
  await t.pass(0);

  assert.equal(await ready(t), true);
  assert.equal(await secretText(t, 'm0-metadata'), 'old');
  assert.deepEqual(
    t.writes.filter(write => write.includes('/secrets')),
    [],
  );
  await t.stop();
});

test('createSecrets: nothing to render is ready', async () => {
  const t = await running({});
  await servedData(t);

  await t.pass(0);

  assert.equal(await ready(t), true);
  await t.stop();
});

test('createSecrets: without a Template reference a Data is not ready, and that is no error', async () => {
  const t = await running();
  await put(t.api, Metal3Data, 'abc-0', { metadata: { labels: LABELS }, spec: { index: 0, claim: { name: 'm0' } } });

  await t.pass(seconds(1));

  assert.equal(await ready(t), undefined);
  assert.match(await why(t), /^False NoTemplate/);
  await t.stop();
});

test('createSecrets: Template, Claim, Metal3Machine, Machine, host and Cluster are each waited for, and wake the Data', async () => {
  const t = await aDataTest();
  t.run(dataController());
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { labels: LABELS } });
  const seen: string[] = [];
  const look = async (): Promise<void> => {
    await t.pass(0);
    seen.push((await why(t)).replace(/:.*/, ''));
  };

  await look();
  await aCluster(t.api, 'c');
  await look();
  await aTemplate(t, 'abc', BOTH);
  await look();
  const machineOwner = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'Metal3Machine', name: 'm0' };
  await put(t.api, Metal3DataClaim, 'm0', {
    metadata: { ownerReferences: [{ ...machineOwner, uid: 'not yet' }] },
    spec: { template: { name: 'abc' } },
  });
  await look();
  const metal3Machine = await put(t.api, Metal3Machine, 'm0', { spec: { dataTemplate: { name: 'abc' } } });
  const ownerReferences = [{ ...machineOwner, uid: metal3Machine.metadata.uid ?? '' }];
  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { ownerReferences } });
  await look();
  const capi = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm0', uid: 'machine' };
  await t.api.patch(Metal3Machine, at('m0'), { metadata: { ownerReferences: [capi] } });
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { ownerReferences } });
  await look();
  await t.api.delete(Metal3Machine, at('m0'));
  await t.api.delete(Metal3DataClaim, at('m0'));
  await aServedClaim(t, 'm0');
  await look();

  assert.deepEqual(seen, [
    'False ClusterMissing',
    'False TemplateMissing',
    'False ClaimMissing',
    'False Metal3MachineMissing',
    'False NoMachine',
    'False MachineMissing',
    'True AsExpected',
  ]);
  await t.stop();
});

test('createSecrets: no host is waited for in silence for a minute, then in words, and its arrival wakes the Data', async () => {
  const t = await running();
  const claim = await aServedClaim(t, 'm0');
  await t.api.delete(BareMetalHost, at('host-m0'));
  await t.api.patch(Metal3Machine, at('m0'), { metadata: { annotations: { [HOST_ANNOTATION]: null } } });
  const ownerReferences = [claimOwner(claim), ...(claim.metadata.ownerReferences ?? [])];
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { labels: LABELS, ownerReferences } });
  await t.pass(seconds(50));
  const silent = await why(t);
  await t.pass(seconds(20));
  const told = await why(t);

  await t.api.patch(Metal3Machine, at('m0'), { metadata: { annotations: { [HOST_ANNOTATION]: `${NS}/host-m0` } } });
  await t.pass(0);
  const missing = await why(t);
  await put(t.api, BareMetalHost, 'host-m0', { spec: { bootMACAddress: '12:34:56:78:9a:bc' } });
  await t.pass(0);

  assert.equal(silent, 'undefined undefined: undefined');
  assert.match(told, /^False InProgress: Waiting for a host for Metal3Machine m0/);
  assert.match(missing, /^False HostMissing/);
  assert.equal(await ready(t), true);
  await t.stop();
});

test('createSecrets: a claim without Metal3Machine, a machine without or with another Template are errors that go with their cause', async () => {
  const t = await running();
  await servedData(t);
  const broken = async (change: () => Promise<unknown>): Promise<string | undefined> => {
    // Before the secrets are gone: they would be made anew at once.
    await change();
    for (const name of ['m0-metadata', 'm0-networkdata']) await t.api.delete(Secret, at(name)).catch(() => undefined);
    await t.api.patch(Metal3Data, at('abc-0'), { status: { ready: null } }, { subresource: 'status' });
    await t.pass(minutes(11));
    return (await dataNamed(t, 'abc-0'))?.status?.errorMessage;
  };
  const claim = await t.api.get(Metal3DataClaim, at('m0'));

  const alone = await broken(() => t.api.patch(Metal3DataClaim, at('m0'), { metadata: { ownerReferences: null } }));
  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { ownerReferences: claim.metadata.ownerReferences } });
  await t.pass(0);
  const healed = (await dataNamed(t, 'abc-0'))?.status;
  const none = await broken(() => t.api.patch(Metal3Machine, at('m0'), { spec: { dataTemplate: null } }));
  const other = await broken(() => t.api.patch(Metal3Machine, at('m0'), { spec: { dataTemplate: { name: 'other' } } }));
  const elsewhere = await broken(() =>
    t.api.patch(Metal3Machine, at('m0'), { spec: { dataTemplate: { name: 'abc', namespace: 'elsewhere' } } }),
  );

  assert.match(alone ?? '', /^Metal3DataClaim m0 has no Metal3Machine among its owners/);
  assert.deepEqual([healed?.errorMessage, healed?.ready], [undefined, true]);
  assert.match(none ?? '', /m0 has nothing as spec.dataTemplate/);
  assert.match(other ?? '', /m0 has other as spec.dataTemplate/);
  assert.match(elsewhere ?? '', /Metal3Machine m0 has abc as spec.dataTemplate/);
  await t.stop();
});

test('createSecrets: a Data without a claim is an error', async () => {
  const t = await running();
  await put(t.api, Metal3Data, 'abc-0', {
    metadata: { labels: LABELS },
    spec: { index: 0, template: { name: 'abc' } },
  });

  await t.pass(seconds(1));

  assert.match((await dataNamed(t, 'abc-0'))?.status?.errorMessage ?? '', /^Metal3Data abc-0 has no spec.claim/);
  await t.stop();
});

test('metal-G14, metal-7.17: a secret of another owner is neither used nor written; the Data says whose it is, and waits', async () => {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', BOTH);
  const before = { apiVersion: 'v1', kind: 'ConfigMap', name: 'of-a-user', uid: 'other' };
  const theirs = { metadata: { labels: LABELS, ownerReferences: [before] }, data: { old: 'b2xk' } };
  await put(t.api, Secret, 'm0-metadata', theirs);
  // Without the label no cache has it: only the attempt tells.
  await put(t.api, Secret, 'm0-networkdata', { data: { old: 'b2xk' } });
  await servedData(t);
  t.run(dataController());
  await t.pass(seconds(1));
  const labelled = await why(t);
  await t.api.delete(Secret, at('m0-metadata'));
  await t.pass(0);
  const unlabelled = await why(t);

  await t.api.delete(Secret, at('m0-networkdata'));
  await t.pass(minutes(1));

  assert.match(
    labelled,
    /^False SecretOfAnother: Waiting for Secret m0-metadata, which belongs to ConfigMap of-a-user \(other\)/,
  );
  assert.match(unlabelled, /^False SecretOfAnother: Waiting for Secret m0-networkdata, which has no owner/);
  assert.equal(await ready(t), true);
  await t.stop();
});

test('a rendering that is refused makes neither secret, says which field, and goes on when its cause goes', async () => {
  const t = await running({
    metaData: { strings: [{ key: 'a', value: 'b' }] },
    networkData: {
      links: { ethernets: [{ type: 'phy', id: 'eth0', mtu: 1500, macAddress: { fromHostInterface: 'eth9' } }] },
    },
  });
  await servedData(t);
  await t.pass(seconds(1));
  const refused = await t.api.get(Metal3Data, at('abc-0'));
  const { items } = await t.api.list(Secret);

  const hardware = { nics: [{ name: 'eth9', mac: '12:34:56:78:9a:bc' }] };
  await t.api.patch(BareMetalHost, at('host-m0'), { status: { hardware } }, { subresource: 'status' });
  await t.pass(0);

  assert.match(refused.status?.errorMessage ?? '', /eth9/);
  assert.match(said(refused, 'Ready'), /^False MetalRenderingRefused: /);
  assert.deepEqual(items, []);
  assert.equal(await ready(t), true);
  assert.equal((await dataNamed(t, 'abc-0'))?.status?.errorMessage, undefined);
  await t.stop();
});

test('metal-G15: a Data without a cluster label is rendered; its secrets bear the Machine’s Cluster', async () => {
  const t = await running();
  const claim = await aServedClaim(t, 'm0');
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { ownerReferences: [claimOwner(claim)] } });

  await t.pass(0);

  assert.equal(await ready(t), true);
  assert.deepEqual((await t.api.get(Secret, at('m0-metadata'))).metadata.labels, LABELS);
  await t.stop();
});

test('a secret that somebody deletes is made anew', async () => {
  const t = await running();
  await servedData(t);
  await t.pass(0);

  await t.api.delete(Secret, at('m0-metadata'));
  await t.pass(0);

  assert.match(await secretText(t, 'm0-metadata'), /^String-1/);
  await t.stop();
});
