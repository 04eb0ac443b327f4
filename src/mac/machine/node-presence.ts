// Whether the machine's Node is there and its own: one that went away is set up again, a released host's is deleted again.

import { millisOf, minutes, seconds } from '../../base/clock.ts';
import type { Step } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { MacWorld } from '../world.ts';
import { deleteNode } from './delete-node.ts';
import { conditionOf, type MacMachine, nodeName, providerIdOf } from './mac-machine.ts';
import { releaseOf } from './release-record.ts';
import { BOOTSTRAPPED, wireFalse } from './wire-conditions.ts';

/** How long after its set-up a host may take to register its Node (mac-F54). */
const REGISTERS_WITHIN_MS = minutes(2);

export const nodePresence: Step<MacMachine, MacWorld> = {
  condition: 'NodePresent',
  async run(machine, world) {
    const node = world.caches.of(Node).get({ name: nodeName(machine) });
    if (node !== undefined) return ownOrReleased(machine, node, world);
    const bootstrapped = conditionOf(machine, BOOTSTRAPPED);
    if (bootstrapped?.status !== 'True') return done();
    const leftMs = millisOf(bootstrapped.lastTransitionTime) + REGISTERS_WITHIN_MS - world.clock.now();
    if (leftMs > 0) return done(undefined, leftMs);
    // A cache that does not show a Node is no proof that there is none (mac-F80).
    if ((await world.api.find(Node, { name: nodeName(machine) })) !== undefined) return done();
    return setUpAgain(machine, world);
  },
};

/** safe-13: the identity of a released host may live on for a day; its Node does not. */
async function ownOrReleased(machine: MacMachine, node: Node, world: MacWorld): Promise<Outcome> {
  const released = releaseOf(machine)?.hostId;
  const isReleased = released !== undefined && released === node.spec?.providerID;
  if (!isReleased || released === providerIdOf(machine)) return done();
  world.events.warning(machine, 'ReleasedHostReturned', `Node ${nodeName(machine)} came back from host ${released}`);
  return deleteNode({ name: nodeName(machine), providerId: released }, world);
}

function setUpAgain(machine: MacMachine, { events }: MacWorld): Outcome {
  const what = `Node ${nodeName(machine)}: it is gone although the host was set up, so that is done again`;
  events.warning(machine, 'NodeMissing', what);
  const change = { conditions: [wireFalse(BOOTSTRAPPED, 'NodeMissing', what)] };
  return wait({ kind: Node, name: nodeName(machine) }, what, seconds(30), { reason: 'NodeMissing', change });
}
