// What the manager and the agents ask for while Macs come, run Pods and go.

import assert from 'node:assert/strict';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { ConfigMap, CustomResourceDefinition, Secret } from '../../../src/kube/core/other.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { hostNamed, must, runPods } from '../../stories/stranded-pods/act.ts';
import { createHeldPod, createLinuxNode, createMac, createPod, deleteMac, deleteNode } from '../../world/acts.ts';
import type { VirtualFleet } from '../../world/fleet.ts';
import { NS } from '../../world/names.ts';
import type { Run } from '../runs.ts';

/** A Pod whose guest gets a token, a Secret's value and a ConfigMap's. */
async function createFurnishedPod({ api }: VirtualFleet, name: string): Promise<void> {
  await api.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: NS, name },
    stringData: { a: 'b' },
  });
  await api.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: NS, name },
    data: { a: 'b' },
  });
  await api.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: NS, name },
    spec: {
      restartPolicy: 'Always',
      tolerations: [{ key: 'tuist.dev/macos', operator: 'Exists' }],
      automountServiceAccountToken: true,
      serviceAccountName: 'default',
      containers: [
        {
          name: 'vm',
          image: 'registry.example/macos:26',
          envFrom: [{ secretRef: { name } }, { configMapRef: { name } }],
        },
      ],
    },
  });
}

/** The VM ends and its disk is lost: it is made anew, and the event about that is counted up. */
async function loseVm(fleet: VirtualFleet, pod: string): Promise<void> {
  const vm = fleet.macs.running().find(each => each.vm.includes(pod));
  assert.ok(vm !== undefined, `the VM of ${pod} runs`);
  const { tart } = fleet.macs.on(vm.serverId);
  await tart.stop(vm.vm, 0);
  await tart.delete(vm.vm);
}

/** A Mac from its adoption to its end, with one Pod that ends and one that is there to the last. */
async function life(fleet: VirtualFleet): Promise<void> {
  await createMac(fleet.api, 'mac-0');
  await createFurnishedPod(fleet, 'furnished');
  await must(fleet, 'the Pod runs', () => fleet.view.runs('furnished'));
  await runPods(fleet, ['b']);
  await loseVm(fleet, 'furnished');
  await must(
    fleet,
    'it runs again',
    () => fleet.view.pod('furnished')?.status?.containerStatuses?.[0]?.restartCount === 1,
  );
  // Long enough for the Node to be refreshed and its labels to follow the images.
  await fleet.pass(minutes(2));
  await fleet.api.delete(Pod, { namespace: NS, name: 'furnished' });
  await must(fleet, 'the Pod ends', () => fleet.view.pod('furnished') === undefined);
  await deleteMac(fleet.api, 'mac-0');
  await must(fleet, 'nothing is left', () => fleet.view.macs().length + fleet.view.pods().length === 0);
}

const OTHERS = [
  'RackHost',
  'RackAppleSiliconMachine',
  'ScalewayElasticMetalMachine',
  'OVHDedicatedMachine',
  'DediboxMachine',
  'VultrMachine',
];

function definitionOf(kind: string): CustomResourceDefinition {
  const group = 'infrastructure.cluster.x-k8s.io';
  const singular = kind.toLowerCase();
  const names = { kind, listKind: `${kind}List`, plural: `${singular}s`, singular };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1alpha1', served: true, storage: true, schema }] },
  };
}

export const macRuns: readonly Run[] = [
  { name: 'a Mac whose agent has a certificate', fleet: { macs: 2 }, play: life },
  { name: 'a Mac whose agent has an account', fleet: { settings: { identity: 'service account' } }, play: life },
  {
    name: 'Pods from before Pippin, beside every kind of machine that may have run them',
    play: async fleet => {
      for (const kind of OTHERS) await fleet.api.create(CustomResourceDefinition, definitionOf(kind));
      await createLinuxNode(fleet.api, 'linux-0');
      await createHeldPod(fleet.api, 'wedged', { nodeName: 'mac-x' });
      await fleet.api.delete(Pod, { namespace: NS, name: 'wedged' }, { graceSeconds: 0 });
      await must(fleet, 'the Pod is gone', () => fleet.view.pods().length === 0);
    },
  },
  {
    name: 'a Node deleted by hand, its host gone from the cloud',
    fleet: { macs: 2 },
    play: async fleet => {
      await createMac(fleet.api, 'mac-0');
      await createPod(fleet.api, 'a');
      await must(fleet, 'the Pod runs', () => fleet.view.runs('a'));
      await createLinuxNode(fleet.api, 'linux-0');
      const host = hostNamed(fleet, 'mac-0');
      fleet.hosts.cutPower(host);
      await deleteNode(fleet.api, 'mac-0');
      await fleet.pass(minutes(4));
      fleet.cloud.discard(host);
      await must(fleet, 'the Pod is gone', () => fleet.view.pods().length === 0);
      await deleteMac(fleet.api, 'mac-0');
      await must(fleet, 'the machine is gone', () => fleet.view.macs().length === 0);
    },
  },
  {
    name: 'a host that takes no set-up, and goes back to the pool',
    fleet: { settings: { rebootAfter: 1, giveBackAfter: 2 } },
    play: async fleet => {
      fleet.hosts.failing.set('installed-bundles', 1);
      await createMac(fleet.api, 'mac-0');
      await must(fleet, 'it is wiped', () => fleet.cloud.state.servers.some(({ wipes }) => wipes > 0), minutes(6 * 60));
      fleet.hosts.failing.clear();
      await must(fleet, 'it is set up', () => fleet.view.node('mac-0') !== undefined);
      await fleet.pass(seconds(60));
    },
  },
];
