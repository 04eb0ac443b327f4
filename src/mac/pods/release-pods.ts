// Stage 4.5: the host is wiped, so no agent is left to take its finalizer off its Pods; this stage does (mac-2.3).

import { millisOf, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { Absent, evidence } from '../../deletion/proof.ts';
import { release } from '../../deletion/release.ts';
import { settleAll } from '../../deletion/stages.ts';
import { VM_CLEANUP } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { isConflict } from '../../kube/errors.ts';
import { hasFinalizer, type KubeObject } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { boundAtMs, stampOf, vmOf } from './binding.ts';
import { endPod } from './end.ts';
import type { HostWitness } from './witness.ts';

/** The machine being deleted, and what it has on record about its host's release (safe-10). */
export interface ReleasedMachine {
  readonly machine: KubeObject;
  readonly nodeName: string;
  readonly released: { readonly hostId: string; readonly time: string; readonly seen: string };
}

interface StageWorld extends KubeWorld {
  readonly witness: HostWitness;
}

/** Ends and releases every Pod that ran on the released host. Done once a list shows none that is held; tries all (safe-16). */
export async function releasePods(released: ReleasedMachine, world: StageWorld): Promise<Outcome> {
  const stranded = await strandedPods(released, world);
  if (stranded.length === 0) return done();
  const proof = await freshRead(released, world);
  if (proof === undefined) {
    const { hostId } = released.released;
    return wait({ port: 'cloud', subject: hostId }, 'one answer about the released host', seconds(10));
  }
  const outcome = await settleAll(stranded, pod => endAndRelease(pod, proof, world));
  if (outcome.kind === 'wait') return outcome;
  // An answer may have been wrong, and when the machine is gone nobody knows its host any more: the list decides.
  const [left] = await strandedPods(released, world);
  return left === undefined ? done() : wait(refTo(Pod, left), `Pod ${nameOf(left)} to be gone`, seconds(1));
}

/** Held Pods that ran on this host, read live and completely. */
async function strandedPods(released: ReleasedMachine, { api }: StageWorld): Promise<readonly Pod[]> {
  const { items } = await api.list(Pod, { fields: `spec.nodeName=${released.nodeName}` });
  const held = items.filter(pod => hasFinalizer(pod, VM_CLEANUP));
  if (held.length === 0) return [];
  const node = await api.find(Node, { name: released.nodeName });
  return held.filter(pod => ranOn(pod, released, node === undefined ? 'node absent' : 'node exists'));
}

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

/** safe-15: stamped Pods of the released id; unstamped ones bound before the deletion, if no Node of that name is left. */
function ranOn(pod: Pod, { machine, released }: ReleasedMachine, node: 'node exists' | 'node absent'): boolean {
  const stamp = stampOf(pod);
  if (stamp !== undefined) return stamp === released.hostId && boundAtMs(pod) <= millisOf(released.time);
  const ranBefore = Math.min(millisOf(released.time), millisOf(machine.metadata.deletionTimestamp ?? released.time));
  return node === 'node absent' && boundAtMs(pod) <= ranBefore;
}

/** safe-21: one read by id that shows the host is not back under this machine's name. */
async function freshRead(
  { nodeName, released }: ReleasedMachine,
  { witness, clock }: StageWorld,
): Promise<((pod: Pod) => Absent) | undefined> {
  const seen = await witness.host(released.hostId);
  if (seen.kind === 'unknown') return undefined;
  if (seen.kind === 'present' && seen.value.name === nodeName) return undefined;
  const answer = seen.kind === 'present' ? `there, named ${seen.value.name}` : 'absent';
  const read = evidence(clock, 'cloud', released.hostId, answer);
  const because = `host ${released.hostId} was released at ${released.time} (${released.seen})`;
  return pod => Absent.byRecord(vmOf(pod), because, read);
}

async function endAndRelease(pod: Pod, proof: (pod: Pod) => Absent, world: StageWorld): Promise<Outcome> {
  try {
    const ended = await endPod(pod, world);
    if (ended !== undefined && hasFinalizer(ended, VM_CLEANUP)) {
      await release(world, { kind: Pod, object: ended, finalizer: VM_CLEANUP, subject: vmOf(ended) }, proof(ended));
    }
    return done();
  } catch (error) {
    if (!isConflict(error)) world.events.warning(pod, 'FinalizerReleaseFailed', messageOf(error));
    return wait(refTo(Pod, pod), `Pod ${nameOf(pod)} to end: ${messageOf(error)}`, seconds(5));
  }
}
