// What becomes of an object's dependents: said by two finalizers that the garbage collector takes off.

import type { Call } from '../core.ts';
import type { Resource } from '../parts.ts';
import type { DeleteOptions, Propagation } from './delete-options.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Kinds that never have dependents. */
const WITHOUT_DEPENDENTS: ReadonlySet<string> = new Set(['events']);

/** Kinds whose dependents are orphaned unless the client says otherwise. */
const ORPHANS: ReadonlySet<string> = new Set(['replicationcontrollers', 'jobs.batch']);

/** The finalizers after a delete with these options. */
export function propagationFinalizers(
  resource: Resource,
  finalizers: readonly string[],
  options: DeleteOptions,
): readonly string[] {
  if (WITHOUT_DEPENDENTS.has(resource.storageName)) return finalizers;
  const others = finalizers.filter(finalizer => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  const wanted = propagationOf(finalizers, options) ?? (ORPHANS.has(resource.storageName) ? 'Orphan' : 'Background');
  const added = wanted === 'Orphan' ? [ORPHAN] : wanted === 'Foreground' ? [FOREGROUND] : [];
  const next = [...others, ...added];
  const same = next.length === finalizers.length && next.every(finalizer => finalizers.includes(finalizer));
  return same ? finalizers : next;
}

/** What the client says; else what an earlier delete said. */
function propagationOf(finalizers: readonly string[], options: DeleteOptions): Propagation | undefined {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagation !== undefined) return options.propagation;
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : undefined;
}

/** Jobs leave their Pods behind when nobody says otherwise: whoever says nothing is told. */
export function warnOfOrphans({ resource, warnings }: Call, options: DeleteOptions): void {
  if (resource.storageName !== 'jobs.batch') return;
  if (options.propagation !== undefined || options.orphanDependents !== undefined) return;
  warnings.push(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
}
