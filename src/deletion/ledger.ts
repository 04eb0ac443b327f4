// The ledger: for each finalizer its holder, what it protects, and the proof that lets another party release it.

import type { Kind } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Proof } from './proof.ts';

/** One finalizer of ours. A row lives beside its holder; fleet/ledger.ts joins them. */
export interface LedgerRow {
  readonly finalizer: string;
  readonly on: readonly Kind[];
  /** Who puts it on and normally takes it off. */
  readonly holder: string;
  /** What would be lost if it went too early. */
  readonly protects: string;
  /** Name of the proof (see `Prover`) by which a second party may release it; `none`: only the holder may. */
  readonly provedGoneBy: string;
  /** How long after `deletionTimestamp` the object is stuck: then the sweep looks, and the object says what is missing. */
  readonly deadlineSeconds: number;
}

/** Proves, or refuses to prove, that what a finalizer protects is gone. */
export interface Prover<W> {
  /** As rows name it in `provedGoneBy`. */
  readonly name: string;
  /** What the finalizer on this object holds, by immutable id: the subject that a proof must be about. */
  subjectOf(object: KubeObject): string;
  prove(object: KubeObject, world: W): Promise<Proof>;
  /** What must happen to the object before its finalizer goes (safe-14 for Pods). Repeats safely. Answers the object as it is now, or undefined when it is gone. */
  end?(object: KubeObject, world: W): Promise<KubeObject | undefined>;
  /** How a person can go on when the proof is missing. */
  waysOut(object: KubeObject): string;
}
