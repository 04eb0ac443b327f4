// Whether an update of an object changed more of it than its status: what sums up others has one that never rests.

import type { KubeObject, ObjectMeta } from './object.ts';

/** Of a kind whose spec counts its generations. */
export function changedBesidesStatus(now: KubeObject, before: KubeObject): boolean {
  return changedInSpec(now, before) || marksOf(now.metadata) !== marksOf(before.metadata);
}

/** Neither marks nor status: the spec, or that it is to go. */
export const changedInSpec = ({ metadata: now }: KubeObject, { metadata: before }: KubeObject): boolean =>
  now.generation === undefined || now.generation !== before.generation || now.uid !== before.uid;

const marksOf = ({ uid, deletionTimestamp, labels, annotations, finalizers, ownerReferences }: ObjectMeta): string =>
  JSON.stringify([uid, deletionTimestamp, labels, annotations, finalizers, ownerReferences]);
