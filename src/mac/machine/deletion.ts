// Takes a Mac machine apart: the host first, then all that pointed at it.

import { seconds } from '../../base/clock.ts';
import { type Stage, stages } from '../../deletion/stages.ts';
import { DELETE_FOR_MOVE, MAC_MACHINE_FINALIZER } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Deletion } from '../../kube/controller.ts';
import { annotationOf, keyOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { releasePods } from '../pods/release-pods.ts';
import type { MacWorld } from '../world.ts';
import { deleteCredentials } from './credentials.ts';
import { deleteNode as deleteNodeOf } from './delete-node.ts';
import { revokeAccount } from './identity/account.ts';
import { MacMachine, nodeName, providerIdOf } from './mac-machine.ts';
import { hasNamesake } from './name-taken.ts';
import { isReleased, releaseHost } from './release.ts';
import { releaseOf } from './release-record.ts';

/** Each stage looks at the facts: run again, it finds its work done. A host that was not released keeps all of them away (safe-12). */
const GIVING_BACK: readonly Stage<MacMachine, MacWorld>[] = [
  ['ReleaseHost', releaseHost],
  // Before the Node goes: a live agent would make it anew.
  ['RevokeIdentity', ifReleased(revokeIdentity)],
  ['DeleteBootstrapSecret', deleteBootstrapSecret],
  ['DeleteNode', ifReleased(deleteNode)],
  ['ReleasePods', ifReleased(endPods)],
];

/** The same for a deleted machine and for one that gives up its host and lives on (mac-F34). */
export const giveBack: (machine: MacMachine, world: MacWorld) => Promise<Outcome> = stages(GIVING_BACK);

export const deletion: Deletion<MacMachine, MacWorld> = {
  finalizer: MAC_MACHINE_FINALIZER,
  async run(machine, world) {
    // safe-17: the cache may not show clusterctl's mark yet.
    const live = await world.api.find(MacMachine, keyOf(machine));
    if (live !== undefined && isBeingMoved(live)) {
      return wait(refTo(MacMachine, machine), 'clusterctl to take this object to its new cluster', seconds(60));
    }
    return giveBack(machine, world);
  },
};

export const isBeingMoved = (machine: MacMachine): boolean => annotationOf(machine, DELETE_FOR_MOVE) !== undefined;

function ifReleased(stage: Stage<MacMachine, MacWorld>[1]): Stage<MacMachine, MacWorld>[1] {
  return async (machine, world) => (isReleased(machine) ? stage(machine, world) : done());
}

/** The certificate of a Node ends by itself within a day; nobody can call it back (safe-13). */
async function revokeIdentity(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  // A machine of the same name in another namespace would lose its agent's rights with ours (safe-9).
  if (await hasNamesake(machine, world.api)) return done();
  await revokeAccount(machine, world);
  return done();
}

async function deleteBootstrapSecret(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  await deleteCredentials(machine, world);
  return done();
}

function deleteNode(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  return deleteNodeOf({ name: nodeName(machine), providerId: providerIdOf(machine) ?? '' }, world);
}

/** The host is wiped: no agent is left to take its finalizer off, so this stage does. */
async function endPods(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  const released = releaseOf(machine);
  return released === undefined ? done() : releasePods({ machine, nodeName: nodeName(machine), released }, world);
}
