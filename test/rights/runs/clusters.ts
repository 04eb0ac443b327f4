// What our subset of Cluster API core asks for while a fleet is made, changed, repaired and taken apart.

import { minutes, seconds } from '../../../src/base/clock.ts';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../src/kinds/generated/machine-deployment.generated.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { MacMachine } from '../../../src/mac/machine/mac-machine.ts';
import { hostNamed, must, runPods } from '../../stories/stranded-pods/act.ts';
import { createDeployment, createHealthCheck, createMac, scale } from '../../world/acts.ts';
import type { VirtualFleet } from '../../world/fleet.ts';
import { NS } from '../../world/names.ts';
import type { Run } from '../runs.ts';

const KEY = { namespace: NS, name: 'fleet' };

/** Taints keep a Pod without tolerations away once its Node is silent. */
async function createPlainPod({ api }: VirtualFleet, name: string): Promise<void> {
  await api.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: NS, name },
    spec: {
      restartPolicy: 'Never',
      tolerations: [{ key: 'tuist.dev/macos', operator: 'Exists' }],
      containers: [{ name: 'vm', image: 'registry.example/macos:26' }],
    },
  });
}

/** A control-plane Machine: only beside one is a Node drained and deleted with its Machine. */
async function createByHand({ api }: VirtualFleet, name: string): Promise<void> {
  await createMac(api, name);
  await api.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: Machine.kind,
    metadata: { namespace: NS, name, labels: { 'cluster.x-k8s.io/control-plane': '' } },
    spec: {
      clusterName: 'fleet',
      bootstrap: { dataSecretName: 'none' },
      infrastructureRef: { apiGroup: MacMachine.group, kind: MacMachine.kind, name },
    },
  });
}

export const clusterRuns: readonly Run[] = [
  {
    name: 'a dark Mac is replaced, and the fleet taken apart with its Cluster',
    fleet: { macs: 2 },
    play: async fleet => {
      await createDeployment(fleet.api, 'fleet', 1);
      await createHealthCheck(fleet.api, 'fleet', 600);
      await createPlainPod(fleet, 'plain');
      await must(fleet, 'it runs', () => fleet.view.runs('plain'));
      fleet.hosts.cutPower(hostNamed(fleet, fleet.view.macs()[0]?.metadata.name ?? ''));
      await must(fleet, 'the dark Mac and its Pod are gone', () => fleet.view.pods().length === 0);
      await must(fleet, 'another is there', () => fleet.view.nodes().length > 0);
      await fleet.api.delete(Cluster, KEY);
      await must(fleet, 'all is gone', () => fleet.view.macs().length + fleet.view.machines().length === 0);
      await fleet.pass(minutes(1));
    },
  },
  {
    name: 'a rollout, a machine deleted with its Pods on it, and scaling to zero',
    fleet: { macs: 3 },
    play: async fleet => {
      await createDeployment(fleet.api, 'fleet', 1);
      await runPods(fleet, ['a']);
      const labels = { fleet: 'fleet', colour: 'blue' };
      await fleet.api.patch(MachineDeployment, KEY, { spec: { template: { metadata: { labels } } } });
      await fleet.pass(minutes(1));
      await fleet.api.patch(MachineDeployment, KEY, {
        spec: { template: { spec: { bootstrap: { dataSecretName: 'another' } } } },
      });
      await must(fleet, 'the first Mac and its Pod are gone', () => fleet.view.pods().length === 0);
      await must(fleet, 'one Mac is left', () => fleet.view.macs().length === 1 && fleet.view.nodes().length === 1);
      await runPods(fleet, ['b']);
      await fleet.api.delete(Machine, { namespace: NS, name: fleet.view.machines()[0]?.metadata.name ?? '' });
      await must(fleet, 'the Pod is gone', () => fleet.view.pods().length === 0);
      await scale(fleet.api, 'fleet', 0);
      await must(fleet, 'no Mac is left', () => fleet.view.macs().length === 0);
      await fleet.pass(seconds(60));
    },
  },
  {
    name: 'a Machine made by hand, and one whose Node cannot be deleted for a while',
    fleet: { macs: 2 },
    broken: /^DELETE \/api\/v1\/nodes\/fleet-/,
    play: async fleet => {
      await createDeployment(fleet.api, 'fleet', 1);
      await runPods(fleet, ['a']);
      const worker = fleet.view.macs()[0]?.metadata.name ?? '';
      await createByHand(fleet, 'by-hand');
      await must(fleet, 'the Macs are there', () => fleet.view.nodes().length === 2);
      await fleet.api.delete(Machine, { namespace: NS, name: worker });
      await must(fleet, 'the Pod is evicted', () => fleet.view.pods().length === 0);
      await must(fleet, 'its host is being released', () => fleet.cloud.state.servers.some(({ wipes }) => wipes > 0));
      const key = { namespace: NS, name: worker };
      await fleet.api.patch(MacMachine, key, { metadata: { finalizers: null } });
      await fleet.pass(minutes(5));
    },
  },
];
