// Every call by which a Pod is let go, refused or lost once in every way: the Pod goes all the same.

import { minutes } from '../../../src/base/clock.ts';
import type { CallFault } from '../../faults/fault-line.ts';
import { createHeldPod, createLinuxNode, deleteMac } from '../../world/acts.ts';
import { type VirtualFleet, virtualFleet } from '../../world/fleet.ts';
import { MANAGER } from '../../world/names.ts';
import { assertEmpty, type Scenario } from '../telling/scenario.ts';
import { fleetWith, must } from './act.ts';

const FAULTS: readonly CallFault[] = [
  ...([403, 404, 409, 500] as const).map(code => ({ kind: 'code', code }) as const),
  { kind: 'time-out' },
];

/** Plays once without faults to count the calls in question, then once for each call and fault. */
async function eachCall(play: (fault: (number: number) => CallFault | undefined) => Promise<number>): Promise<string> {
  const calls = await play(() => undefined);
  for (let n = 0; n < calls; n++) {
    for (const fault of FAULTS) await play(number => (number === n ? fault : undefined));
  }
  return `${calls} calls, each with 403, 404, 409, 500 and a time-out: ${calls * FAULTS.length} runs, the Pods gone in all`;
}

/** Follows the manager's calls that `concerns` picks, from now on; answers how many there were so far. */
function follow(
  fleet: VirtualFleet,
  concerns: (label: string) => boolean,
  fault: (number: number) => CallFault | undefined,
): () => number {
  let count = 0;
  fleet.line.follow({
    onCall: ({ process, label }) => {
      if (process !== MANAGER || !concerns(label)) return undefined;
      return fault(count++);
    },
  });
  return () => count;
}

const isRequest = (label: string): boolean => !label.includes('watch=true') && !label.endsWith('/events');

export const eachCallOf: readonly Scenario[] = [
  {
    name: 'stage 4.5: the API refuses or loses each of its calls once, and the Pods of the deleted machine go',
    run: () =>
      eachCall(async fault => {
        const fleet = await fleetWith(['a']);
        const counted = follow(fleet, label => isRequest(label) && /\/pods(\/|\?)/.test(label), fault);
        await deleteMac(fleet.api, 'mac-0');
        await must(fleet, 'machine and Pods are gone', () => fleet.view.macs().length + fleet.view.pods().length === 0);
        assertEmpty('violations', fleet.violations);
        await fleet.close();
        return counted();
      }),
  },
  {
    name: 'the sweep: each of its calls is refused or lost once, and the Pod of a vanished host goes',
    run: () =>
      eachCall(async fault => {
        const fleet = await virtualFleet({ macs: 1, deadlineSeconds: 10 });
        await createLinuxNode(fleet.api, 'linux-0');
        const hostId = 'scw-applesilicon://fr-par-1/00000000-0000-4000-8000-000000000000';
        await createHeldPod(fleet.api, 'wedged', { nodeName: 'mac-0', hostId });
        await fleet.pass(minutes(0.9));
        const counted = follow(fleet, isRequest, fault);
        await must(fleet, 'the Pod is gone', () => fleet.view.pods().length === 0);
        assertEmpty('violations', fleet.violations);
        await fleet.close();
        return counted();
      }),
  },
];
