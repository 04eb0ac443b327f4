// What stops a takeover: upstream at work, a Cluster API core that is too old, a plan that is not the one that was read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kubeMicroTime, minutes, seconds } from '../../../src/base/clock.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Lease } from '../../../src/kube/core/node.ts';
import { CustomResourceDefinition, Namespace, Secret } from '../../../src/kube/core/other.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { kindOf } from '../../../src/kube/kind.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { digestIn, type LeftCluster, leftCluster } from '../foreign/cluster.ts';

let cluster: LeftCluster;

before(async () => {
  cluster = await leftCluster('1.8', { files: ['running'], webhooks: 'removed' });
  const { api } = cluster.fleet;
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'capm3-system' } });
});

after(() => cluster.fleet.close());

const at = (name: string) => ({ namespace: 'capm3-system', name });

/** Planning and doing are refused alike, with these words; afterwards it is planned again. */
async function refusedWith(words: RegExp, undo: () => Promise<unknown>): Promise<void> {
  const digest = '0'.repeat(32);
  await assert.rejects(cluster.takeover(), words);
  await assert.rejects(cluster.takeover(digest), words);
  await undo();
  assert.ok(digestIn(await cluster.takeover()) !== undefined);
}

test('a Pod of upstream is named, until it has ended', async () => {
  const { api } = cluster.fleet;
  await api.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...at('capm3-controller-manager-0'), labels: { 'cluster.x-k8s.io/provider': 'infrastructure-metal3' } },
    spec: { containers: [{ name: 'manager', image: 'manager' }], serviceAccountName: 'default' },
  } as Pod);

  await refusedWith(/Pod capm3-system\/capm3-controller-manager-0 \(infrastructure-metal3\) is Pending/, () =>
    api.patch(Pod, at('capm3-controller-manager-0'), { status: { phase: 'Failed' } }, { subresource: 'status' }),
  );
});

test('a lease that upstream holds is named, and one that ran out is not', async () => {
  const { api, clock } = cluster.fleet;
  await api.create(Lease, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: at('controller-leader-election-ipam-capm3'),
    spec: { holderIdentity: 'ipam-0_x', leaseDurationSeconds: 15, renewTime: kubeMicroTime(clock.now()) },
  });

  await refusedWith(/Lease capm3-system\/controller-leader-election-ipam-capm3 is held by ipam-0_x/, () =>
    cluster.fleet.pass(minutes(2)),
  );
});

test('a lease that is renewed by a host whose clock is minutes behind is named; one that nobody renews costs a wait that is told', async () => {
  const { fleet } = cluster;
  const { api, clock } = fleet;
  const metadata = at('controller-leader-election-capm3');
  const record = () => {
    const renewTime = kubeMicroTime(clock.now() - minutes(5));
    return { holderIdentity: 'capm3-0_x', leaseDurationSeconds: 15, renewTime };
  };
  await api.create(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: record() });
  let isRenewed = true;
  const renewing = (async () => {
    while (isRenewed) {
      await clock.sleep(seconds(2));
      await api.patch(Lease, metadata, { spec: record() });
    }
  })();
  const startMs = clock.monotonic();

  await refusedWith(/Lease capm3-system\/controller-leader-election-capm3 is held by capm3-0_x/, async () => {
    assert.ok(clock.monotonic() - startMs < seconds(10), 'its first change is enough');
    isRenewed = false;
    await fleet.pass(seconds(3));
    await renewing;
  });

  const said = await cluster.takeover();
  assert.match(
    said,
    /^Waiting: whether anybody renews Lease capm3-system\/controller-leader-election-capm3, held by capm3-0_x, /m,
  );
  assert.ok(digestIn(said) !== undefined);
  await api.delete(Lease, metadata);
});

test('writes of upstream within the last 15 minutes are named, of each half, and older ones are not', async () => {
  const { api } = cluster.fleet;
  const touched = { metadata: { labels: { touched: 'now' } } };
  const template = { ...Metal3DataTemplate, version: 'v1beta1' };
  await api.patch(template, { namespace: 'metal', name: 'data' }, touched, { fieldManager: 'controllerName' });
  await api.patch(
    IPPool,
    { namespace: 'metal', name: 'pool' },
    { status: { lastUpdated: '2026-01-01T00:00:00Z' } },
    { fieldManager: 'manager', subresource: 'status' },
  );

  await refusedWith(
    /Metal3DataTemplate metal\/data was written by field manager controllerName at .*IPPool metal\/pool was written by field manager manager at /,
    () => cluster.fleet.pass(minutes(16)),
  );
});

interface Provider extends KubeObject {
  readonly type: string;
  readonly version: string;
}
const Provider = kindOf<Provider>('clusterctl.cluster.x-k8s.io/v1alpha3', 'Provider', 'providers', 'Namespaced');

test('a Cluster API core before 1.11 is refused by its name', async () => {
  const { api } = cluster.fleet;
  const text = { type: 'string' };
  const properties = { type: text, version: text };
  await api.create(CustomResourceDefinition, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'providers.clusterctl.cluster.x-k8s.io' },
    spec: {
      group: Provider.group,
      scope: 'Namespaced',
      names: { kind: 'Provider', listKind: 'ProviderList', plural: 'providers', singular: 'provider' },
      versions: [
        { name: 'v1alpha3', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  });
  await api.create(Provider, {
    apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
    kind: 'Provider',
    metadata: at('cluster-api'),
    type: 'CoreProvider',
    version: 'v1.10.4',
  });

  await refusedWith(/Cluster API core v1\.10\.4 is older than 1\.11/, () =>
    api.patch(Provider, at('cluster-api'), { version: 'v1.11.0' }),
  );
  assert.match(await cluster.takeover(), /Cluster API core v1\.11\.0/);
});

test('without an endpoint of ours nothing is planned: no digest is given that could not be done', async () => {
  const { api } = cluster.fleet;
  const key = { namespace: 'pippin-system', name: 'pippin-metal-authorities' };
  const { data = {} } = await api.get(Secret, key);
  await api.delete(Secret, key);

  await refusedWith(
    /No endpoint of ours has run here: Secret pippin-system\/pippin-metal-authorities is not there/,
    () => api.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: key, type: 'Opaque', data }),
  );
});

test('a definition that is being deleted is named, until it is gone', async () => {
  const { api } = cluster.fleet;
  const key = { name: 'metal3remediations.infrastructure.cluster.x-k8s.io' };
  const held = (finalizers: readonly string[]) =>
    api.patch(CustomResourceDefinition, key, { metadata: { finalizers } });
  await held(['example.com/kept']);
  await api.delete(CustomResourceDefinition, key);

  await refusedWith(/definition metal3remediations\.infrastructure\.cluster\.x-k8s\.io is being deleted/, () =>
    held([]),
  );
});

test('a definition that gained something since makes it another plan: what would be lost was not read', async () => {
  const { api } = cluster.fleet;
  const before = digestIn(await cluster.takeover());
  const again = digestIn(await cluster.takeover());
  const key = { name: 'metal3datas.infrastructure.cluster.x-k8s.io' };
  const value = [{ name: 'Theirs', type: 'string', jsonPath: '.spec.claim.name' }];

  const added = { op: 'add', path: '/spec/versions/0/additionalPrinterColumns', value };
  await api.patch(CustomResourceDefinition, key, [added], { type: 'json' });

  assert.equal(again, before, 'nothing had changed');
  assert.notEqual(digestIn(await cluster.takeover()), before);
});

test('only the plan that was read is done', async () => {
  const plan = await cluster.takeover();
  await cluster.fleet.api.patch(
    CustomResourceDefinition,
    { name: 'metal3datas.infrastructure.cluster.x-k8s.io' },
    { spec: { conversion: { strategy: 'None', webhook: null } } },
  );

  await assert.rejects(
    cluster.takeover(digestIn(plan)),
    /PIPPIN_E_TAKEOVER_PLAN_CHANGED|is not that of what would be done now/,
  );
  assert.notEqual(digestIn(await cluster.takeover()), digestIn(plan));
});
