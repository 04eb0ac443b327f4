// Once a host is known to be off (metal-B2): its Node is tainted out of service and empties, or, where that is not known, is deleted.

import type { Subject } from '../../deletion/quiet-controller.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import type { Node } from '../../kube/core/node.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf, isDeleting } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import type { MetalWorld } from '../world.ts';
import { deleteNode, hasBackup, keepBackup } from './backup.ts';
import { TAINTED_NODE } from './names.ts';
import { type NodeView, nodeOf, waitForNode } from './node.ts';
import { timeLeftMs } from './remediations.ts';
import type { Whole } from './scene.ts';
import { addTaint, knowsTaint, stillLeaving, taintOf } from './taint.ts';

type Found = Extract<NodeView, { kind: 'found' }>;

/**
 * A wait, or undefined: the host may be switched on again. The time of the try bounds it: a cluster whose API ran on this
 * very host would else wait for ever for itself, and to go on without is safe, for the host was off.
 */
export async function fence(
  subject: Subject<Metal3Remediation>,
  scene: Whole,
  world: MetalWorld,
): Promise<Wait | undefined> {
  const held = await nodeStep(subject, scene, world);
  if (held === undefined || timeLeftMs(subject.object, world) > 0) return held;
  world.events.warning(
    subject.object,
    'NodeNotFenced',
    `The host is switched on again, although there was still to wait for ${held.what}`,
  );
  return undefined;
}

async function nodeStep(
  subject: Subject<Metal3Remediation>,
  { machine }: Whole,
  world: MetalWorld,
): Promise<Wait | undefined> {
  const view = nodeOf(machine, world);
  if (view.kind === 'unknown') return view.wait;
  if (view.kind !== 'found') return undefined;
  const what = knowsTaint(view.node)
    ? await taintAndWait(subject, view, world)
    : await backUpAndDelete(subject, view, world);
  return what === undefined
    ? undefined
    : waitForNode(machine, `Node ${view.node.metadata.name}: ${what}`, 'FencingNode');
}

async function taintAndWait(
  subject: Subject<Metal3Remediation>,
  { node, api }: Found,
  world: MetalWorld,
): Promise<string | undefined> {
  await recordTaint(subject, node, world);
  const nowMs = world.clock.now();
  const tainted = taintOf(node) === undefined ? await addTaint(api, node, nowMs) : node;
  return stillLeaving(api, tainted, nowMs);
}

/** On record before the taint is there: what is to be taken off again is never forgotten (metal-b). */
async function recordTaint(
  subject: Subject<Metal3Remediation>,
  { metadata: { uid } }: Node,
  { api }: MetalWorld,
): Promise<void> {
  if (annotationOf(subject.object, TAINTED_NODE) === uid) return;
  subject.object = await patchMetadata(api, Metal3Remediation, subject.object, {
    annotations: { [TAINTED_NODE]: uid },
  });
}

async function backUpAndDelete(
  subject: Subject<Metal3Remediation>,
  { node, api }: Found,
  world: MetalWorld,
): Promise<string> {
  if (!hasBackup(subject.object)) subject.object = await keepBackup(world.api, subject.object, node);
  if (!isDeleting(node)) await deleteNode(api, node);
  return 'to be gone';
}
