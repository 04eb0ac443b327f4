// Takes a Machine apart, in Cluster API's order: hooks and drain, then the host, its data, its Node (builtin-24).

import { kubeTime, millisOf, seconds } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { type Stage, stages } from '../../../deletion/stages.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { refTo } from '../../../kube/api.ts';
import type { Deletion, KubeWorld } from '../../../kube/controller.ts';
import { Node } from '../../../kube/core/node.ts';
import { isNotFound } from '../../../kube/errors.ts';
import { annotationOf, isDeleting, keyOf } from '../../../kube/object.ts';
import { type Change, done, type Outcome, wait } from '../../../kube/outcome.ts';
import { EXCLUDE_DRAIN, EXCLUDE_VOLUME_WAIT, MACHINE_FINALIZER, PRE_DRAIN_HOOK, PRE_TERMINATE_HOOK } from '../names.ts';
import { lookUp } from '../provider/lookup.ts';
import { deleteProviderObject } from '../provider/removal.ts';
import { deletionLimitsOf } from '../spelling.ts';
import { drain, isUnreachable } from './drain.ts';
import { nodeRemoval } from './node-removal.ts';
import type { MachineOptions } from './world.ts';

const NODE_RETRY_MS = seconds(2);
const VOLUME_RETRY_MS = seconds(20);

export function machineDeletion(options: MachineOptions): Deletion<Machine, KubeWorld> {
  const order: readonly Stage<Machine, KubeWorld>[] = [
    ['WaitingForPreDrainHook', async machine => hooks(machine, PRE_DRAIN_HOOK, options)],
    ['DrainingNode', (machine, world) => drainNode(machine, world, options)],
    ['WaitingForVolumeDetach', (machine, world) => detachVolumes(machine, world, options)],
    ['WaitingForPreTerminateHook', async (machine, world) => preTerminate(machine, world, options)],
    [
      'WaitingForInfrastructureDeletion',
      (machine, world) => deleteProviderObject(machine, machine.spec.infrastructureRef, { world, ...options }),
    ],
    [
      'WaitingForBootstrapDeletion',
      async (machine, world) => {
        const { configRef } = machine.spec.bootstrap;
        return configRef === undefined ? done() : deleteProviderObject(machine, configRef, { world, ...options });
      },
    ],
    ['DeletingNode', (machine, world) => deleteNode(machine, world, options)],
  ];
  return { finalizer: MACHINE_FINALIZER, run: stages(order) };
}

/** Whoever put a hook on takes it off; it has no deadline. */
function hooks(machine: Machine, prefix: string, options: MachineOptions, change?: Change): Outcome {
  const held = Object.keys(machine.metadata.annotations ?? {}).filter(key => key.startsWith(prefix));
  if (held.length === 0) return done();
  const what = `whoever set them to remove the annotations ${held.sort().join(', ')}`;
  return wait(refTo(Machine, machine), what, options.recheckMs, change === undefined ? {} : { change });
}

/** When this wait began is kept: once it has, nothing is drained any more. */
function preTerminate(machine: Machine, world: KubeWorld, options: MachineOptions): Outcome {
  const began = machine.status?.deletion?.waitForPreTerminateHookStartTime ?? kubeTime(world.clock.now());
  const change = { status: { deletion: { waitForPreTerminateHookStartTime: began } } };
  return hooks(machine, PRE_TERMINATE_HOOK, options, change);
}

async function drainNode(machine: Machine, world: KubeWorld, options: MachineOptions): Promise<Outcome> {
  const began = machine.status?.deletion?.nodeDrainStartTime;
  const limit = deletionLimitsOf(machine.spec).drainSeconds;
  if (annotationOf(machine, EXCLUDE_DRAIN) !== undefined || isOver(began, limit, world)) return done();
  if (!(await isHostThere(machine, world, options))) return done();
  const removal = await nodeRemoval(machine, world, options);
  if (removal.kind === 'skipped') return done();
  const outcome = await drain(removal.node, removal.api, world);
  if (outcome.kind === 'done') return outcome;
  const nodeDrainStartTime = began ?? kubeTime(world.clock.now());
  return withinLimit({ ...outcome, change: { status: { deletion: { nodeDrainStartTime } } } }, limit);
}

interface NodeWithVolumes extends Node {
  readonly status?: Node['status'] & { readonly volumesAttached?: readonly { readonly name: string }[] };
}

async function detachVolumes(machine: Machine, world: KubeWorld, options: MachineOptions): Promise<Outcome> {
  const began = machine.status?.deletion?.waitForNodeVolumeDetachStartTime;
  const limit = deletionLimitsOf(machine.spec).volumeDetachSeconds;
  if (annotationOf(machine, EXCLUDE_VOLUME_WAIT) !== undefined || isOver(began, limit, world)) return done();
  if (!(await isHostThere(machine, world, options))) return done();
  const removal = await nodeRemoval(machine, world, options);
  if (removal.kind === 'skipped' || isUnreachable(removal.node)) return done();
  const node: NodeWithVolumes = removal.node;
  const volumes = node.status?.volumesAttached ?? [];
  if (volumes.length === 0) return done();
  const status = { deletion: { waitForNodeVolumeDetachStartTime: began ?? kubeTime(world.clock.now()) } };
  const what = `volumes to be detached from Node ${node.metadata.name}: ${volumes.map(({ name }) => name).join(', ')}`;
  return withinLimit(wait(refTo(Node, node), what, VOLUME_RETRY_MS, { change: { status } }), limit);
}

/** A host that is gone or going, or one that hooks were awaited for, is not worked on any more. */
async function isHostThere(machine: Machine, world: KubeWorld, options: MachineOptions): Promise<boolean> {
  if (machine.status?.deletion?.waitForPreTerminateHookStartTime !== undefined) return false;
  const { namespace = '' } = machine.metadata;
  const sought = await lookUp(machine.spec.infrastructureRef, { namespace, world, watched: options.watched });
  return sought.kind === 'found' && !isDeleting(sought.object);
}

function isOver(began: string | undefined, limitSeconds: number | undefined, world: KubeWorld): boolean {
  if (began === undefined || limitSeconds === undefined) return false;
  return world.clock.now() - millisOf(began) >= seconds(limitSeconds);
}

/** The next look is no later than the limit. */
function withinLimit(outcome: Outcome, limitSeconds: number | undefined): Outcome {
  if (limitSeconds === undefined || outcome.kind === 'done') return outcome;
  return { ...outcome, recheckMs: Math.min(outcome.recheckMs, seconds(limitSeconds)) };
}

/** After the host: a live agent would register its Node again. Past its limit the Machine goes without. */
async function deleteNode(machine: Machine, world: KubeWorld, options: MachineOptions): Promise<Outcome> {
  const began = machine.status?.deletion?.nodeDeletionStartTime;
  const limit = deletionLimitsOf(machine.spec).nodeDeletionSeconds;
  if (isOver(began, limit, world)) return done();
  const removal = await nodeRemoval(machine, world, options);
  if (removal.kind === 'skipped') return done();
  const { uid, name } = removal.node.metadata;
  try {
    await removal.api.delete(Node, keyOf(removal.node), uid === undefined ? {} : { uid });
    return done();
  } catch (error) {
    if (isNotFound(error)) return done();
    world.events.warning(machine, 'FailedDeleteNode', `Node ${name}: ${messageOf(error)}`);
    const status = { deletion: { nodeDeletionStartTime: began ?? kubeTime(world.clock.now()) } };
    const what = `Node ${name} to be deleted: ${messageOf(error)}`;
    return wait(refTo(Node, removal.node), what, NODE_RETRY_MS, { change: { status } });
  }
}
