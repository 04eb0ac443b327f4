// Which objects the garbage collector has still to look at, and which changes make it look.

import type { KubeObject, OwnerReference } from '../../kube/object.ts';
import type { Content, ContentChange, Found } from '../served/content.ts';
import { FOREGROUND, isDeletingDependents, isOrphaning, ORPHAN } from './owners.ts';
import { isNamed } from './standing.ts';

const RETRY_FIRST_MS = 1000;
const RETRY_LONGEST_MS = 60_000;

export interface Item {
  readonly found: Found;
  readonly attempts: number;
  readonly notBeforeMs: number;
}

/** The objects to look at, one entry per UID: never more than there are objects. */
export class GarbageQueue {
  private readonly items = new Map<string, Item>();

  add(found: Found): void {
    const uid = found.object.metadata.uid ?? '';
    const attempts = this.items.get(uid)?.attempts ?? 0;
    this.items.set(uid, { found, attempts, notBeforeMs: 0 });
  }

  /** Takes what is due out of the queue, in the order it came in. */
  takeDue(nowMs: number): readonly Item[] {
    const due = [...this.items].filter(([, item]) => item.notBeforeMs <= nowMs);
    for (const [uid] of due) this.items.delete(uid);
    return due.map(([, item]) => item);
  }

  /** Puts a failed item back, later each time; a newer entry for the same object stands. */
  retry(item: Item, nowMs: number): void {
    const uid = item.found.object.metadata.uid ?? '';
    if (this.items.has(uid)) return;
    const delayMs = Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** Math.min(item.attempts, 6));
    this.items.set(uid, { found: item.found, attempts: item.attempts + 1, notBeforeMs: nowMs + delayMs });
  }
}

/** The objects that a change gives reason to look at. */
export function concernedBy(change: ContentChange, content: Content): readonly Found[] {
  const { object, previous, kind } = change;
  const self = { kind, object };
  const uid = object.metadata.uid ?? '';
  if (change.type === 'deleted') return [...content.dependentsOf(uid), ...waitingOwners(object, content)];

  const isNew = previous === undefined;
  const startedForeground = isDeletingDependents(object) && (isNew || !isDeletingDependents(previous));
  const changed = isNew || ownershipOf(previous) !== ownershipOf(object);
  return [
    ...(changed && needsLook(object, content) ? [self] : []),
    ...(startedForeground ? content.dependentsOf(uid) : []),
    ...(changed && !isNew ? waitingOwners(previous, content) : []),
  ];
}

/** Whether this object may be garbage, or has a finalizer that the collector serves. */
export function needsLook(object: KubeObject, content: Content): boolean {
  if (isOrphaning(object) || isDeletingDependents(object)) return true;
  if (object.metadata.deletionTimestamp !== undefined) return false;
  return object.metadata.ownerReferences?.some(owner => !isKnownSolid(owner, object, content)) ?? false;
}

function isKnownSolid(reference: OwnerReference, dependent: KubeObject, content: Content): boolean {
  const found = content.withUid(reference.uid);
  if (found === undefined || !isNamed(reference, found) || isDeletingDependents(found.object)) return false;
  const owner = found.object;
  return owner.metadata.namespace === undefined || owner.metadata.namespace === dependent.metadata.namespace;
}

/** Owners whose foreground deletion this object may have been holding up. */
function waitingOwners(object: KubeObject, content: Content): readonly Found[] {
  return (object.metadata.ownerReferences ?? []).flatMap(reference => {
    const owner = content.withUid(reference.uid);
    return owner !== undefined && isDeletingDependents(owner.object) ? [owner] : [];
  });
}

/** All that decides: who owns it, whether it is deleting, and the two finalizers. */
function ownershipOf(object: KubeObject): string {
  const { ownerReferences, deletionTimestamp, finalizers = [] } = object.metadata;
  const served = finalizers.filter(name => name === FOREGROUND || name === ORPHAN);
  return JSON.stringify([ownerReferences ?? [], deletionTimestamp ?? '', served]);
}
