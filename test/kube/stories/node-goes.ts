// The Node object vanishes, or comes back, while its machine lives: nothing that runs is let go, and nothing is stranded.

import assert from 'node:assert/strict';
import { RUNTIME_LABEL, RUNTIME_TART, VM_GONE } from '../../../src/kinds/wire.ts';
import { Node } from '../../../src/kube/core/node.ts';
import { Namespace } from '../../../src/kube/core/other.ts';
import { isDeleting } from '../../../src/kube/object.ts';
import type { ApiRequest } from '../../../src/kube/transport.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import type { Place } from './place.ts';
import type { RealScenario } from './scenario.ts';

/** The Mac goes dark and somebody deletes its Node: what an operator tries first. */
async function darkAndNodeDeleted(place: Place) {
  const host = await place.macWith(['a', 'b']);
  place.fleet.hosts.cutPower(host.id);
  await place.kubectl('delete', 'node', place.mac);
  const tookMs = await place.must('Pod GC has deleted the Pods', () => place.pods().every(isDeleting));
  return { host, tookMs };
}

/** The manager deletes this Node. */
export const nodeDeletion =
  (name: string) =>
  ({ method, path }: ApiRequest): boolean =>
    method === 'DELETE' && path === `/api/v1/nodes/${name}`;

export const nodeGoes: readonly RealScenario[] = [
  {
    id: 'returned',
    name: 'kubectl delete node, the host gone from the cloud: the Pods are released on two answers',
    run: async place => {
      const { host, tookMs: gcMs } = await darkAndNodeDeleted(place);
      place.fleet.cloud.discard(host.id);
      const tookMs = await place.must('the Pods are gone', () => place.pods().length === 0);
      return `Pod GC deleted them after ${secondsText(gcMs)}, both were gone ${secondsText(tookMs)} later`;
    },
  },
  {
    id: 'rented',
    name: 'kubectl delete node, the host dark but still rented: refused, the Pod says why, the failure ladder ends it',
    run: async place => {
      const { host, tookMs: gcMs } = await darkAndNodeDeleted(place);
      await place.must('the Pod says why', () => place.saysOf('a', 'HostStillRented') !== undefined);
      const said = place.saysOf('a', 'HostStillRented') ?? '';
      assert.match(said, new RegExp(`delete the machine of Node ${place.mac}`));
      assert.deepEqual(place.podNames(), ['a', 'b'], 'nothing is let go while the host is rented');
      assert.equal(host.wipes, 0);
      const tookMs = await place.must('the ladder gives the host back', () => place.pods().length === 0);
      assert.equal(host.wipes, 1);
      return `Pod GC after ${secondsText(gcMs)}, refused ("${said.slice(0, 80)}"), released ${secondsText(tookMs)} later, the host given back`;
    },
  },
  {
    id: 'person',
    name: 'kubectl delete node, the host dark but still rented: a word on one Pod ends that one, the deleted machine the other',
    run: async place => {
      await darkAndNodeDeleted(place);
      await place.must('both Pods say why', () =>
        ['a', 'b'].every(name => place.saysOf(name, 'HostStillRented') !== undefined),
      );
      const uid = place.view.pod(place.ns, 'a')?.metadata.uid;
      await place.kubectl('annotate', 'pod', 'a', `${VM_GONE}=${uid}`);
      const wordMs = await place.must('that Pod is gone', () => place.view.pod(place.ns, 'a') === undefined);
      assert.deepEqual(place.podNames(), ['b'], 'the other one stays');
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      const tookMs = await place.must('the other one is gone', () => place.pods().length === 0);
      return `annotated Pod gone in ${secondsText(wordMs)}; the other one ${secondsText(tookMs)} after kubectl delete of the machine`;
    },
  },
  {
    id: 'alive',
    name: 'kubectl delete node, the Mac alive: its agent registers again, and no running VM is let go',
    run: async place => {
      const host = await place.macWith(['a', 'b']);
      const before = place.vms(host);
      const uid = place.view.node(place.mac)?.metadata.uid;
      await place.kubectl('delete', 'node', place.mac);
      const back = () => ![undefined, uid].includes(place.view.node(place.mac)?.metadata.uid);
      const tookMs = await place.must('the Node is back', back);
      await place.podGcHasJudged();
      assert.deepEqual(place.vms(host), before, 'the same VMs run');
      assert.ok(
        ['a', 'b'].every(name => place.runs(name)),
        `both Pods run: ${place.state()}`,
      );
      return `Node back after ${secondsText(tookMs)}; Pod GC has judged, the same two VMs run, both Pods Running`;
    },
  },
  ...(['the same', 'another'] as const).map(comesBack),
  {
    id: 'taken',
    name: 'a machine of the same name in another namespace is refused before it adopts anything',
    run: async place => {
      await place.macWith(['a']);
      const spare = place.orderMac('spare');
      const other = `${place.ns}-other`;
      await place.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } });
      await place.createMac(place.mac, other);
      const reasons = () => place.view.mac(other, place.mac)?.status?.conditions?.map(({ reason }) => reason) ?? [];
      const tookMs = await place.must('the second one is refused', () => reasons().includes('NameTaken'));
      assert.equal(spare.name, `${place.pool}spare`, 'no host was touched');
      assert.ok(place.runs('a'), 'the first one runs on');
      return `NameTaken after ${secondsText(tookMs)}; no host was touched`;
    },
  },
];

/** It comes back the moment that it has been deleted: before the manager knows that it has. */
function comesBack(which: 'the same' | 'another'): RealScenario {
  return {
    id: which === 'the same' ? 'again' : 'foreign',
    name: `a Node that comes back under the same name with ${which} providerID, between the stages, holds nothing up`,
    run: async place => {
      const host = await place.macWith(['a']);
      const own = place.providerIdOf(host);
      const providerID = which === 'the same' ? own : 'scw-applesilicon://fr-par-1/somebody-else';
      const cameBack = place.fleet.troubles.afterNext(nodeDeletion(place.mac), async () => {
        const metadata = { name: place.mac, labels: { [RUNTIME_LABEL]: RUNTIME_TART } };
        await place.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata, spec: { providerID } });
      });
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await cameBack;
      const left = () => place.view.macs(place.ns).length + place.pods().length;
      const tookMs = await place.must('machine and Pods are gone', () => left() === 0);
      if (which === 'another') {
        assert.equal(place.view.node(place.mac)?.spec?.providerID, providerID, "another host's Node is left alone");
        await place.kubectl('delete', 'node', place.mac);
      }
      await place.must('no Node is left', () => place.view.node(place.mac) === undefined);
      place.assertGone(host);
      const what = which === 'the same' ? 'deleted again (safe-13)' : "left alone: it is another host's (safe-9)";
      return `${what}; all gone ${secondsText(tookMs)} after it came back`;
    },
  };
}
