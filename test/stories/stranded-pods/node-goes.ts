// The Node object vanishes, or comes back, while its machine lives: nothing running is let go, and nothing is stranded.

import assert from 'node:assert/strict';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { VM_GONE } from '../../../src/kinds/wire.ts';
import { Node } from '../../../src/kube/core/node.ts';
import { Namespace } from '../../../src/kube/core/other.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { createLinuxNode, createMac, deleteMac, deleteNode } from '../../world/acts.ts';
import type { VirtualFleet } from '../../world/fleet.ts';
import { agentOf } from '../../world/macs.ts';
import { NS } from '../../world/names.ts';
import { assertEmpty, type Scenario, secondsText } from '../telling/scenario.ts';
import { assertGone, fleetWith, hostNamed, must, on } from './act.ts';

/** The Mac goes dark and somebody deletes its Node: what an operator tries first. */
async function darkAndNodeDeleted(fleet: VirtualFleet): Promise<string> {
  const host = hostNamed(fleet, 'mac-0');
  await createLinuxNode(fleet.api, 'linux-0');
  fleet.hosts.cutPower(host);
  await deleteNode(fleet.api, 'mac-0');
  await must(fleet, 'Pod GC has deleted the Pods', () => fleet.view.pods().every(isDeleting));
  return host;
}

const isDeleting = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

export const nodeGoes: readonly Scenario[] = [
  {
    name: 'kubectl delete node, the host gone from the cloud: the Pods are released on two answers',
    run: async () =>
      on(await fleetWith(['a', 'b']), async fleet => {
        const host = await darkAndNodeDeleted(fleet);
        fleet.cloud.discard(host);
        const tookMs = await must(fleet, 'the Pods are gone', () => fleet.view.pods().length === 0);
        return `both Pods gone ${secondsText(tookMs)} after Pod GC had deleted them`;
      }),
  },
  {
    name: 'kubectl delete node, the host dark but still rented: refused, and the Pod says why',
    run: async () =>
      on(await fleetWith(['a', 'b']), async fleet => {
        await darkAndNodeDeleted(fleet);
        await fleet.pass(minutes(4));
        const said = fleet.view.eventsOn('a').find(each => each.startsWith('HostStillRented'));
        assert.ok(said !== undefined, `the Pod says why: ${fleet.view.eventsOn('a').join(' | ')}`);
        assert.match(said, /delete the machine of Node mac-0/);
        assert.equal(fleet.view.pods().length, 2, 'nothing is let go while the host is rented');
        const tookMs = await must(
          fleet,
          'the failure ladder gives the host back',
          () => fleet.view.pods().length === 0,
        );
        return `refused ("${said.slice(0, 90)}…"); released ${secondsText(tookMs)} later, when the ladder had given the host back`;
      }),
  },
  {
    name: "a person's word on the Pod ends the wait, for that Pod alone",
    run: async () =>
      on(await fleetWith(['a', 'b']), async fleet => {
        await darkAndNodeDeleted(fleet);
        await fleet.pass(minutes(2));
        const uid = fleet.view.pod('a')?.metadata.uid;
        await fleet.api.patch(Pod, { namespace: NS, name: 'a' }, { metadata: { annotations: { [VM_GONE]: uid } } });
        const tookMs = await must(fleet, 'that Pod is gone', () => fleet.view.pod('a') === undefined, minutes(2));
        assert.notEqual(fleet.view.pod('b'), undefined, 'the other one stays');
        return `annotated Pod gone in ${secondsText(tookMs)}, the other one still held`;
      }),
  },
  {
    name: 'kubectl delete node, the Mac alive: its agent registers again, and no running VM is let go',
    run: async () =>
      on(await fleetWith(['a', 'b']), async fleet => {
        const before = fleet.macs.running();
        const uid = fleet.view.node('mac-0')?.metadata.uid;
        await deleteNode(fleet.api, 'mac-0');
        const back = () => fleet.view.node('mac-0') !== undefined && fleet.view.node('mac-0')?.metadata.uid !== uid;
        const tookMs = await must(fleet, 'the Node is back', back, minutes(2));
        await fleet.pass(minutes(10));
        assert.deepEqual(fleet.macs.running(), before, 'the same VMs run');
        assert.ok(['a', 'b'].every(fleet.view.runs), 'both Pods run');
        return `Node back after ${secondsText(tookMs)}; the same two VMs run, both Pods Running`;
      }),
  },
  ...(['the same', 'another'] as const).map(
    (which): Scenario => ({
      name: `a Node that comes back under the same name with ${which} providerID, between the stages, holds nothing up`,
      run: async () =>
        on(await fleetWith(['a']), async fleet => {
          const host = hostNamed(fleet, 'mac-0');
          const providerID = fleet.view.node('mac-0')?.spec?.providerID ?? '';
          const returned = which === 'the same' ? providerID : 'scw-applesilicon://fr-par-1/somebody-else';
          await deleteMac(fleet.api, 'mac-0');
          await must(fleet, 'the Node is deleted', () => fleet.view.node('mac-0') === undefined);
          await fleet.api.create(Node, {
            apiVersion: 'v1',
            kind: 'Node',
            metadata: { name: 'mac-0', labels: { 'tuist.dev/runtime': 'tart' } },
            spec: { providerID: returned },
          });
          await must(
            fleet,
            'machine and Pods are gone',
            () => fleet.view.macs().length + fleet.view.pods().length === 0,
          );
          if (which === 'another') {
            assert.notEqual(fleet.view.node('mac-0'), undefined, "another host's Node is left alone");
            await deleteNode(fleet.api, 'mac-0');
          }
          await must(
            fleet,
            'a Node with a released providerID is deleted again',
            () => fleet.view.nodes().length === 0,
          );
          assertGone(fleet, host);
          return which === 'the same' ? 'deleted again (safe-13)' : "left alone: it is another host's (safe-9)";
        }),
    }),
  ),
  {
    name: 'a machine of the same name in another namespace is refused before it adopts anything',
    run: async () =>
      on(await fleetWith(['a']), async fleet => {
        await fleet.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
        await createMac(fleet.api, 'mac-0', 'other');
        await fleet.pass(minutes(5));
        const conditions = fleet.view.mac('mac-0', 'other')?.status?.conditions ?? [];
        assert.ok(
          conditions.some(({ reason }) => reason === 'NameTaken'),
          JSON.stringify(conditions),
        );
        assert.equal(fleet.cloud.state.servers.filter(({ name }) => name.startsWith('pool-')).length, 1);
        assert.ok(fleet.view.runs('a'), 'the first one runs on');
        return 'NameTaken; no host was touched';
      }),
  },
  {
    name: 'an agent that is cut off while its Node and Pods are deleted keeps its VMs; they end when it is back',
    run: async () =>
      on(await fleetWith(['a']), async fleet => {
        const host = hostNamed(fleet, 'mac-0');
        const cut = (process: string): boolean => process === agentOf(host);
        fleet.line.follow({
          onCall: call => (cut(call.process) && call.seam === 'api' ? { kind: 'time-out' } : undefined),
          onEvent: process => (cut(process) ? 'dropped' : undefined),
        });
        await deleteNode(fleet.api, 'mac-0');
        await must(fleet, 'Pod GC has deleted the Pod', () => fleet.view.pods().every(isDeleting));
        await fleet.pass(minutes(5));
        assert.equal(fleet.macs.running().length, 1, 'the VM runs behind the cut cable');
        assert.equal(fleet.view.pods().length, 1, 'and its Pod is not let go');
        fleet.line.follow({});
        const tookMs = await must(
          fleet,
          'the agent ends the VM and lets the Pod go',
          () => fleet.view.pods().length === 0,
        );
        await fleet.pass(seconds(1));
        assertEmpty('VMs', fleet.macs.running());
        return `held while cut off; ended ${secondsText(tookMs)} after the cable was back`;
      }),
  },
];
