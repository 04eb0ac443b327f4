// The way back: the taint goes, or the Node that came back gets what it bore before, and the remediation forgets both.

import type { Subject } from '../../deletion/quiet-controller.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { METAL3_REMEDIATION_FINALIZER } from '../../kinds/metal-wire.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import type { MetalWorld } from '../world.ts';
import { giveBack, hasBackup } from './backup.ts';
import { ANNOTATIONS_BACKUP, LABELS_BACKUP, TAINTED_NODE } from './names.ts';
import { nodeOf, waitForNode } from './node.ts';
import { removeTaint, taintOf } from './taint.ts';

/** Whether something of a Node's is owed back. One that upstream began has no record of its taint. */
export const owesNode = (remediation: Metal3Remediation): boolean =>
  hasBackup(remediation) ||
  annotationOf(remediation, TAINTED_NODE) !== undefined ||
  remediation.status?.phase === 'Waiting';

/** The reason of the wait for a Node that would be seen if it were there. */
export const NODE_NOT_BACK = 'NodeNotBack';

/** A wait, or undefined: the Node has all back, or there is none that we may touch. */
export async function unfence(
  remediation: Metal3Remediation,
  machine: Machine,
  world: MetalWorld,
): Promise<Wait | undefined> {
  const view = nodeOf(machine, world);
  if (view.kind === 'unknown') return view.wait;
  if (view.kind === 'forbidden') return undefined;
  if (view.kind === 'none') {
    const name = machine.status?.nodeRef?.name ?? `of Machine ${machine.metadata.name}`;
    return waitForNode(machine, `Node ${name} to come back`, NODE_NOT_BACK);
  }
  if (taintOf(view.node) !== undefined) await removeTaint(view.api, view.node);
  if (hasBackup(remediation)) await giveBack(view.api, remediation, view.node);
  return undefined;
}

/** The finalizer and the records, in one write: nothing is owed any more. */
export async function forget(subject: Subject<Metal3Remediation>, { api }: MetalWorld): Promise<void> {
  const { finalizers = [] } = subject.object.metadata;
  const annotations = { [ANNOTATIONS_BACKUP]: null, [LABELS_BACKUP]: null, [TAINTED_NODE]: null };
  subject.object = await patchMetadata(api, Metal3Remediation, subject.object, {
    annotations,
    finalizers: finalizers.filter(finalizer => finalizer !== METAL3_REMEDIATION_FINALIZER),
  });
}
