// Fleets as CAPM3 and its address manager leave them, stuck objects included: taken over, they converge, and what runs is not touched.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../../../src/base/clock.ts';
import { valueAt } from '../../../src/fleet/metal-endpoint/converters.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { IPAddress } from '../../../src/kinds/generated/ip-address.generated.ts';
import { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../src/kinds/generated/metal3-machine.generated.ts';
import { BLOCK_MOVE_ANNOTATION } from '../../../src/kinds/metal-wire.ts';
import { CustomResourceDefinition, Secret } from '../../../src/kube/core/other.ts';
import { controllerOf } from '../../../src/kube/object.ts';
import { IPAM, METAL, NS } from '../../world/metal/names.ts';
import { type LeftCluster, leftCluster } from './cluster.ts';
import type { UpstreamVersion } from './load.ts';

const at = (name: string) => ({ namespace: NS, name });

/** Taken over, and our controllers started. Answers in how many seconds the Template that was stuck is gone. */
async function converged(cluster: LeftCluster, stuck: string): Promise<number> {
  const { fleet } = cluster;
  await cluster.takeOver();
  const startMs = fleet.clock.monotonic();
  fleet.start(METAL);
  fleet.start(IPAM);
  const isGone = await fleet.run(() => fleet.view.one(Metal3DataTemplate, stuck) === undefined, minutes(5));
  assert.ok(isGone, `${stuck} is gone; left: ${fleet.left().join(', ')}`);
  const goneMs = fleet.clock.monotonic() - startMs;
  assert.ok(await fleet.settle());
  return goneMs / 1000;
}

async function running(version: UpstreamVersion, data: string, { fleet, objects }: LeftCluster): Promise<void> {
  const { api } = fleet;
  const [machine, host, rendered, secret, address] = await Promise.all([
    api.get(Metal3Machine, at('m-0')),
    api.get(BareMetalHost, at('host-0')),
    api.get(Metal3Data, at(data)),
    api.get(Secret, at('m-0-metadata')),
    api.get(IPAddress, at('pool-192-0-2-10')),
  ]);
  const before = (kind: string, name: string, part: string): unknown =>
    valueAt(
      objects.find(each => each.kind === kind && each.metadata.name === name),
      part,
    );

  assert.deepEqual(host.metadata.annotations, { [BLOCK_MOVE_ANNOTATION]: 'true' });
  assert.deepEqual(host.spec, before('BareMetalHost', 'host-0', 'spec'), 'the host is told nothing new');
  assert.equal(
    machine.spec?.providerID,
    version === '1.8' ? `metal3://${host.metadata.uid}` : 'metal3://metal/host-0/m-0',
    'the provider id is the one that its Node has',
  );
  assert.deepEqual(secret.data, before('Secret', 'm-0-metadata', 'data'));
  assert.equal(rendered.spec?.index, 0);
  assert.equal(controllerOf(rendered)?.kind, 'Metal3DataClaim', 'the claim is the controller of its Data');
  assert.equal(address.spec?.address, '192.0.2.10');
}

for (const [version, data, stuck] of [
  ['1.8', 'first-0', 'wedged'],
  ['1.13', 'data-0', 'frozen'],
] as const) {
  test(`a fleet that ${version} left converges: what was stuck goes within seconds, what runs stays as it is`, async () => {
    const cluster = await leftCluster(version);
    const { fleet } = cluster;

    const gone = await converged(cluster, stuck);

    assert.ok(gone <= 5, `the Template was gone after ${gone} s`);
    assert.deepEqual(
      fleet.left().filter(text => /gone|wedged|frozen|wc-/.test(text)),
      [],
    );
    await running(version, data, cluster);
    assert.equal(
      fleet.writesOf(METAL).filter(label => label.includes('/baremetalhosts/')).length,
      1,
      'the host is written once: the annotation that blocks its move',
    );
    assert.deepEqual(fleet.violations, []);
    assert.deepEqual(fleet.refused, []);
    await fleet.close();
  });

  test(`after ${version} no definition remembers the older version, which is still served`, async () => {
    const cluster = await leftCluster(version, { files: ['running'] });
    const { fleet } = cluster;
    await cluster.takeOver();

    const definition = await fleet.api.get(CustomResourceDefinition, {
      name: 'metal3datatemplates.infrastructure.cluster.x-k8s.io',
    });
    const stored = fleet.view.all({ ...Metal3Data, version: 'v1beta2' }).map(({ apiVersion }) => apiVersion);
    const older = await fleet.api.get({ ...Metal3Data, version: 'v1beta1' }, at(data));

    assert.deepEqual(definition.status?.storedVersions, ['v1beta2']);
    assert.deepEqual(
      new Set(stored),
      new Set(['infrastructure.cluster.x-k8s.io/v1beta2']),
      'every object was written anew',
    );
    assert.equal(older.apiVersion, 'infrastructure.cluster.x-k8s.io/v1beta1');
    assert.equal(definition.metadata.annotations?.['cert-manager.io/inject-ca-from'], undefined);
    assert.match(await cluster.takeover(), /Nothing is left to do/);
    await fleet.close();
  });
}
