// The last write of a deletion fails, or the manager dies just before it: the next try ends it, and no other Pod waits.

import assert from 'node:assert/strict';
import { VM_CLEANUP } from '../../../src/kinds/wire.ts';
import { hasFinalizer } from '../../../src/kube/object.ts';
import type { ApiRequest } from '../../../src/kube/transport.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import { nodeDeletion } from './node-goes.ts';
import type { Place } from './place.ts';
import type { RealScenario } from './scenario.ts';
import type { ApiFault } from './troubles.ts';

/** The one write that takes the finalizer off this Pod: the only patch of the manager to a Pod itself. */
const finalizerWrite =
  ({ ns }: Place, pod: string) =>
  ({ method, path }: ApiRequest): boolean =>
    method === 'PATCH' && path === `/api/v1/namespaces/${ns}/pods/${pod}`;

function refusedAt(fault: ApiFault): RealScenario {
  return {
    id: `finalizer-${fault}`,
    // What the Pod is told about the fault must not die with the killed manager.
    after: 'killed',
    name: `${fault} at the write that takes the finalizer off: that Pod waits, the other one does not`,
    run: async place => {
      const host = await place.macWith(['a', 'b']);
      const trouble = place.fleet.troubles.refuse(finalizerWrite(place, 'a'), fault);
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await place.must('the write is tried', () => trouble.met() > 0);
      await place.must('the other Pod is gone', () => place.view.pod(place.ns, 'b') === undefined);
      // A conflict is no failure: somebody else wrote, and the next try reads that.
      if (fault !== 409)
        await place.must('the Pod says so', () => place.saysOf('a', 'FinalizerReleaseFailed') !== undefined);
      const pod = place.view.pod(place.ns, 'a');
      assert.ok(pod !== undefined && hasFinalizer(pod, VM_CLEANUP), 'this one is still held');
      await place.must('the machine waits for it', () => /^ReleasePods: .*\/a/.test(place.deleting()));
      trouble.lift();
      const left = () => place.pods().length + place.view.macs(place.ns).length;
      const tookMs = await place.must('all is gone', () => left() === 0);
      place.assertGone(host);
      return `held through ${trouble.met()} tries, gone ${secondsText(tookMs)} after the fault was lifted`;
    },
  };
}

export const interrupted: readonly RealScenario[] = [
  {
    id: 'killed',
    name: 'a manager that is killed between DeleteNode and ReleasePods: the next one ends what is left',
    run: async place => {
      const { manager, troubles } = place.fleet;
      const host = await place.macWith(['a', 'b']);
      const killed = troubles.afterNext(nodeDeletion(place.mac), async () => manager.kill());
      await place.kubectl('delete', 'scalewayapplesiliconmachine', place.mac, '--wait=false');
      await killed;
      await place.must('the Node is gone', () => place.view.node(place.mac) === undefined);
      assert.equal(place.pods().filter(pod => hasFinalizer(pod, VM_CLEANUP)).length, 2, 'both Pods are still held');
      manager.start();
      const left = () => place.pods().length + place.view.macs(place.ns).length;
      const tookMs = await place.must('all is gone', () => left() === 0);
      place.assertGone(host);
      return `the next manager waited for the lease, and all was gone ${secondsText(tookMs)} after the kill`;
    },
  },
  ...([403, 409, 500, 'time-out'] as const).map(refusedAt),
];
