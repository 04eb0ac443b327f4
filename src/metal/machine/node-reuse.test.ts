// Node reuse, from the release of a host to its next machine: under which name it is kept, and who may not have it.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { MachineSet } from '../../kinds/generated/machine-set.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../kinds/generated/metal3-machine-template.generated.ts';
import { Unavailable } from '../../kube/errors.ts';
import type { ObjectMeta } from '../../kube/object.ts';
import { at, ownedBy, put } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet, IMAGE } from './fleet.testing.ts';

const REUSE = 'infrastructure.cluster.x-k8s.io/node-reuse';

let fleet: Fleet;
let isTemplateCut = false;
beforeEach(async () => {
  isTemplateCut = false;
  fleet = await aFleet(next => async request => {
    if (isTemplateCut && request.path.includes('metal3machinetemplates/')) throw new Unavailable(request.path, 'cut');
    return next(request);
  });
  await put(fleet.api, Metal3MachineTemplate, 'tpl', {
    spec: { nodeReuse: true, template: { spec: { image: IMAGE } } },
  });
});
afterEach(() => fleet.stop());

const CLONED = { annotations: { 'cluster.x-k8s.io/cloned-from-name': 'tpl' } };
const IN_DEPLOYMENT = { labels: { 'cluster.x-k8s.io/deployment-name': 'workers' } };

/** A machine that had host h1 and is gone. */
async function released(machineMetadata: Partial<ObjectMeta>): Promise<BareMetalHost> {
  await fleet.host('h1');
  await fleet.machine('m1', { metadata: CLONED, machineMetadata });
  await fleet.pass(200);
  await fleet.state('h1', 'provisioned');
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);
  await fleet.state('h1', 'available');
  await fleet.pass(200);
  return fleet.hostOf('h1');
}

test('the host of a deployment’s machine is kept for the deployment, with the Cluster as consumer (metal-7.10)', async () => {
  const { metadata, spec } = await released(IN_DEPLOYMENT);

  assert.equal(metadata.labels?.[REUSE], 'md-workers');
  assert.deepEqual(spec?.consumerRef, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    name: CLUSTER,
    namespace: 'metal',
  });
});

test('the deployment is found through the machine set where the Machine has no label', async () => {
  const set = await put(fleet.api, MachineSet, 'set', {
    metadata: {
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineDeployment', name: 'md', uid: 'u' }],
    },
    spec: {
      clusterName: CLUSTER,
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          clusterName: CLUSTER,
          bootstrap: { dataSecretName: 'boot' },
          infrastructureRef: { apiGroup: Metal3Machine.group, kind: 'Metal3MachineTemplate', name: 'tpl' },
        },
      },
    },
  });

  const { metadata } = await released({ ownerReferences: [ownedBy(MachineSet, set)] });

  assert.equal(metadata.labels?.[REUSE], 'md-md');
});

test('a control plane of whatever provider keeps its hosts under its own name (metal-7.10)', async () => {
  const owner = {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha1',
    kind: 'RKE2ControlPlane',
    name: 'cp',
    uid: 'u',
  };

  const { metadata } = await released({
    labels: { 'cluster.x-k8s.io/control-plane': '' },
    ownerReferences: [owner],
  });

  assert.equal(metadata.labels?.[REUSE], 'cp-cp');
});

test('a kept host goes to its deployment’s next machine and to no other', async () => {
  await released(IN_DEPLOYMENT);
  await fleet.machine('other');
  await fleet.pass(seconds(60));
  assert.equal(await fleet.recorded('other'), undefined);
  await fleet.host('h2');
  await fleet.machine('m2', { metadata: CLONED, machineMetadata: IN_DEPLOYMENT });

  await fleet.pass(200);

  assert.equal(await fleet.recorded('m2'), 'metal/h1');
  assert.equal(await fleet.recorded('other'), 'metal/h2');
  const { metadata, spec } = await fleet.hostOf('h1');
  assert.equal(metadata.labels?.[REUSE], undefined);
  assert.deepEqual([spec?.consumerRef?.kind, spec?.consumerRef?.name], ['Metal3Machine', 'm2']);
});

test('a template that cannot be read is no template that is gone: the release waits (metal-7.10)', async () => {
  isTemplateCut = true;
  await released(IN_DEPLOYMENT);
  assert.match(await fleet.said('m1', 'Deleting'), /^True .*metal3machinetemplates\/tpl/);
  assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1');

  isTemplateCut = false;
  await fleet.pass(seconds(10));

  assert.equal((await fleet.hostOf('h1')).metadata.labels?.[REUSE], 'md-workers');
});

test('without reuse in the template, or with a Cluster that goes, nobody’s host is kept', async () => {
  await fleet.api.patch(Metal3MachineTemplate, at('tpl'), { spec: { nodeReuse: false } });
  assert.equal((await released(IN_DEPLOYMENT)).spec?.consumerRef, undefined);
  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.api.patch(Metal3MachineTemplate, at('tpl'), { spec: { nodeReuse: true } });
  await fleet.api.patch(Cluster, at(CLUSTER), { metadata: { finalizers: ['test/holds'] } });
  await fleet.host('h2');
  await fleet.machine('m2', { metadata: CLONED, machineMetadata: IN_DEPLOYMENT });
  await fleet.pass(200);
  await fleet.api.delete(Cluster, at(CLUSTER));

  await fleet.api.delete(Metal3Machine, at('m2'));
  await fleet.pass(200);

  assert.equal(await fleet.consumer('h2'), undefined);
});
