// Whether a Pod is this host's to run and to let go (safe-7, safe-8). A Node name alone proves nothing.

import { HOST_ID, VM_CLEANUP } from '../../kinds/wire.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { annotationOf, hasFinalizer } from '../../kube/object.ts';

/** `ours`: stamped, or surely run here. `new`: nobody has taken it. `replaced`: another host of this Node's name may still run it. */
export type Ownership = 'ours' | 'new' | 'replaced';

export interface OwnFacts {
  readonly hostId: string;
  /** What this host's Pods say as `status.hostIP`. */
  readonly hostIps: readonly string[];
  /** Whether a VM of this Pod is, or was noted, on this disk. */
  readonly vmHere: boolean;
  /** Whether our own notes on this disk bear this Pod's UID: then this host ran it, whatever somebody wrote over the stamp. */
  readonly notedHere: boolean;
}

export function ownershipOf(pod: Pod, facts: OwnFacts): Ownership {
  if (facts.notedHere) return 'ours';
  const stamp = annotationOf(pod, HOST_ID);
  if (stamp !== undefined) return stamp === facts.hostId ? 'ours' : 'replaced';
  if (facts.vmHere || facts.hostIps.includes(pod.status?.hostIP ?? 'none')) return 'ours';
  // Taken, never reported, and no VM here: an older host of this name may be starting it.
  return hasFinalizer(pod, VM_CLEANUP) || pod.status?.hostIP !== undefined ? 'replaced' : 'new';
}
