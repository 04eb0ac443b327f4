// Hosts that change hands, Pods from before Pippin, moves between clusters, and Macs that another agent ran.

import assert from 'node:assert/strict';
import { minutes } from '../../../src/base/clock.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION, RUNTIME_LABEL, RUNTIME_TART } from '../../../src/kinds/wire.ts';
import { Node } from '../../../src/kube/core/node.ts';
import { CustomResourceDefinition, Secret } from '../../../src/kube/core/other.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { kindOf } from '../../../src/kube/kind.ts';
import { MacMachine } from '../../../src/mac/machine/mac-machine.ts';
import { createHeldPod, createLinuxNode, createMac, deleteMac } from '../../world/acts.ts';
import { virtualFleet } from '../../world/fleet.ts';
import { agentOf } from '../../world/macs.ts';
import { NS } from '../../world/names.ts';
import { type Scenario, secondsText } from '../telling/scenario.ts';
import { fleetWith, hostNamed, must, on, providerIdOn } from './act.ts';

const WEDGED = ['wedged-1', 'wedged-2', 'wedged-3'] as const;

/** Three Pods whose Nodes went before Pippin came: deleted by Pod GC, and held by nobody who lives. */
async function withWedgedPods() {
  const fleet = await virtualFleet({ macs: 1 });
  await createLinuxNode(fleet.api, 'linux-0');
  for (const [n, name] of WEDGED.entries()) {
    await createHeldPod(fleet.api, name, { nodeName: `mndbc-${n}` });
    await fleet.api.delete(Pod, { namespace: NS, name }, { graceSeconds: 0 });
  }
  return fleet;
}

const RACK_HOST = kindOf('infrastructure.cluster.x-k8s.io/v1alpha1', 'RackHost', 'rackhosts', 'Namespaced');

const rackHosts: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'rackhosts.infrastructure.cluster.x-k8s.io' },
  spec: {
    group: RACK_HOST.group,
    scope: 'Namespaced',
    names: { kind: 'RackHost', listKind: 'RackHostList', plural: 'rackhosts', singular: 'rackhost' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

export const hostsAndHistory: readonly Scenario[] = [
  {
    name: 'a host that machine B took unwiped is never touched by A, whose Pods wait for B to start it clean',
    run: async () =>
      on(await fleetWith(['a']), async fleet => {
        const host = hostNamed(fleet, 'mac-0');
        const other = fleet.cloud.state.servers.find(({ id }) => id !== host);
        if (other !== undefined) fleet.cloud.discard(other.id);
        fleet.cloud.order({ name: 'somebody-else' });
        fleet.hosts.failing.set('clean-start', 1);
        // A person gives the Mac back by hand, without erasing it, and B adopts it.
        fleet.cloud.byId(host).name = 'pool-by-hand';
        await createMac(fleet.api, 'mac-b');
        await must(fleet, 'B has it', () => fleet.cloud.byId(host).name === 'mac-b');
        await deleteMac(fleet.api, 'mac-0');
        await fleet.pass(minutes(3));
        const deleting = fleet.view.mac('mac-0')?.status?.conditions?.find(({ type }) => type === 'Deleting');
        assert.match(deleting?.message ?? '', /HostHeldElsewhere/);
        assert.equal(fleet.cloud.byId(host).wipes, 0, 'A did not erase it');
        assert.equal(fleet.cloud.byId(host).name, 'mac-b', 'A did not rename it');
        assert.equal(fleet.view.pods().length, 1, 'the Pod is held');
        fleet.hosts.failing.delete('clean-start');
        const tookMs = await must(
          fleet,
          "A and its Pods go once B's first set-up is clean",
          () => fleet.view.mac('mac-0') === undefined && fleet.view.pod('a') === undefined,
        );
        assert.equal(fleet.cloud.byId(host).wipes, 0);
        return `held ("${deleting?.message?.slice(0, 70)}…"), gone ${secondsText(tookMs)} after B could start clean; 0 wipes`;
      }),
  },
  {
    name: 'Pods wedged from before are released when nothing is left that could run them',
    run: async () =>
      on(await withWedgedPods(), async fleet => {
        const tookMs = await must(fleet, 'the wedged Pods are gone', () => fleet.view.pods().length === 0);
        return `three Pods gone ${secondsText(tookMs)} after the start (60 s of quiet, then two reads 90 s apart)`;
      }),
  },
  {
    name: 'the same Pods beside a RackHost are refused: no cloud can list that Mac',
    run: async () =>
      on(await withWedgedPods(), async fleet => {
        await fleet.api.create(CustomResourceDefinition, rackHosts);
        await fleet.api.create(RACK_HOST, {
          apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
          kind: 'RackHost',
          metadata: { name: 'rack-1', namespace: NS },
        });
        await fleet.pass(minutes(30));
        assert.equal(fleet.view.pods().length, 3);
        const said = fleet.view.eventsOn('wedged-1').find(each => each.startsWith('MacNotListable'));
        assert.match(said ?? '', /RackHost rack-1/);
        return `refused for 30 minutes ("${said?.slice(0, 100)}…")`;
      }),
  },
  {
    name: 'what clusterctl does in a move writes nothing to the cloud and touches no Pod',
    run: async () =>
      on(await fleetWith(['a']), async fleet => {
        const key = { namespace: NS, name: 'mac-0' };
        const writes = () => fleet.line.calls.filter(({ seam, write }) => seam === 'cloud' && write).length;
        const before = writes();
        await fleet.api.patch(MacMachine, key, {
          metadata: { annotations: { [PAUSED_ANNOTATION]: 'true', [DELETE_FOR_MOVE]: '' } },
        });
        await deleteMac(fleet.api, 'mac-0');
        await fleet.pass(minutes(5));
        assert.notEqual(fleet.view.mac('mac-0'), undefined, 'the object waits for clusterctl');
        await fleet.api.patch(MacMachine, key, { metadata: { finalizers: null } });
        await fleet.pass(minutes(5));
        assert.equal(fleet.view.mac('mac-0'), undefined);
        assert.equal(writes() - before, 0, 'no cloud write');
        assert.ok(fleet.view.runs('a'), 'the Pod runs on');
        assert.equal(fleet.macs.running().length, 1);
        return '0 cloud writes; the VM runs on, for the cluster that the machine moved to';
      }),
  },
  {
    name: 'a Mac taken over with two running upstream VMs keeps both, under their names',
    run: async () =>
      on(await virtualFleet({ macs: 1 }), async fleet => {
        const [server] = fleet.cloud.state.servers;
        assert.ok(server !== undefined);
        const { tart } = fleet.macs.on(server.id);
        for (const name of ['up-1', 'up-2']) {
          await fleet.run(() => false, 1);
          const pulled = tart.pull('registry.example/macos:26', () => undefined);
          await must(fleet, 'pulled', await settledFlag(pulled));
          await tart.clone('registry.example/macos:26', `${NS}-${name}`);
          await tart.run(`${NS}-${name}`, { shares: [] });
        }
        const before = fleet.macs.running();
        assert.equal(before.length, 2);
        // The machine object as upstream's provider left it: adopted, set up, its Node there and its Pods running.
        server.name = 'mac-0';
        fleet.hosts.mac(server.id).sudo = true;
        fleet.cloud.createSSHKey('upstream', 'ssh-ed25519 AAAA upstream');
        const providerID = providerIdOn(fleet, server.id);
        await fleet.api.create(Node, {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: 'mac-0', labels: { [RUNTIME_LABEL]: RUNTIME_TART } },
          spec: { providerID },
        });
        await fleet.api.create(Secret, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'mac-0-bootstrap', namespace: NS },
          stringData: { 'sudo-password': server.sudoPassword },
        });
        await fleet.api.create(MacMachine, {
          apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
          kind: MacMachine.kind,
          metadata: {
            ...{ namespace: NS, name: 'mac-0' },
            finalizers: ['scalewayapplesilicon.cluster.x-k8s.io/finalizer'],
          },
          spec: { providerID },
        });
        await fleet.api.patch(
          MacMachine,
          { namespace: NS, name: 'mac-0' },
          {
            status: {
              ready: true,
              phase: 'Ready',
              serverID: server.id,
              conditions: ['Provisioned', 'Bootstrapped'].map(type => ({
                type,
                status: 'True',
                lastTransitionTime: '2025-12-31T00:00:00Z',
              })),
            },
          },
          { subresource: 'status' },
        );
        for (const name of ['up-1', 'up-2']) {
          await createHeldPod(fleet.api, name, { nodeName: 'mac-0' });
          await fleet.api.patch(
            Pod,
            { namespace: NS, name },
            { status: { phase: 'Running', containerStatuses: [upstreamStatus(`${NS}-${name}`)] } },
            { subresource: 'status' },
          );
        }
        await must(
          fleet,
          'our agent runs there',
          () => fleet.processes.names().includes(agentOf(server.id)),
          minutes(30),
        );
        await fleet.pass(minutes(10));
        assert.deepEqual(fleet.macs.running(), before, 'the same two VMs');
        assert.ok(['up-1', 'up-2'].every(fleet.view.runs), 'both Pods run');
        return 'the same two VMs under their old names, both Pods Running';
      }),
  },
];

function upstreamStatus(vm: string) {
  return {
    name: 'vm',
    image: 'registry.example/macos:26',
    imageID: '',
    containerID: `tart://${vm}`,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: '2025-12-31T00:00:00Z' } },
  };
}

/** A condition that holds once the promise has settled. */
async function settledFlag(promise: Promise<unknown>): Promise<() => boolean> {
  let settled = false;
  void promise.finally(() => {
    settled = true;
  });
  return () => settled;
}
