// Whether an update of an object changed more of it than its status: what sums up others has one that never rests.

import type { KubeObject, ObjectMeta } from './object.ts';

/** Of a kind whose spec counts its generations. */
export function changedBesidesStatus({ metadata: now }: KubeObject, { metadata: before }: KubeObject): boolean {
  return now.generation === undefined || now.generation !== before.generation || marksOf(now) !== marksOf(before);
}

const marksOf = ({ uid, deletionTimestamp, labels, annotations, finalizers, ownerReferences }: ObjectMeta): string =>
  JSON.stringify([uid, deletionTimestamp, labels, annotations, finalizers, ownerReferences]);
