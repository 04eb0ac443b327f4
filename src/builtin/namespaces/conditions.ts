// What a namespace in deletion says of itself: five conditions, in the words that Kubernetes uses for them (builtin-9).

import type { Condition, KubeObject } from '../../kube/object.ts';

/** One kind's objects that are still there. */
export interface Remaining {
  /** Plural and group, as `pods` and `` or `machines` and `cluster.x-k8s.io`. */
  readonly plural: string;
  readonly group: string;
  readonly objects: readonly KubeObject[];
}

/** What one pass over a namespace's content saw. */
export interface Seen {
  /** Groups for which discovery gave no answer. */
  readonly undiscovered: readonly string[];
  /** One sentence per kind whose objects could not be listed or deleted. */
  readonly failures: readonly string[];
  readonly remaining: readonly Remaining[];
  /** Only Pods were looked at yet: what else remains is not known, and they are not named. */
  readonly isWaitingForPods?: true;
}

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

interface Wording {
  readonly type: string;
  readonly clear: { readonly reason: string; readonly message: string };
  readonly held: { readonly reason: string; readonly message: string };
  readonly holds: boolean;
}

/** The five conditions; `status: True` names a blocker. */
export function conditionsOf(all: Seen): readonly NewCondition[] {
  const seen = all.isWaitingForPods === true ? { ...all, remaining: [] } : all;
  return [
    discovery(seen),
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      holds: false,
      clear: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
      held: { reason: 'GroupVersionParsingFailed', message: '' },
    },
    deletion(seen),
    content(seen),
    finalizers(seen),
  ].map(toCondition);
}

/** Whether nothing is known to be left: only then may the namespace go. */
export const isEmpty = (seen: Seen): boolean =>
  seen.undiscovered.length === 0 && seen.failures.length === 0 && seen.remaining.length === 0;

function toCondition({ type, holds, clear, held }: Wording): NewCondition {
  return { type, status: holds ? 'True' : 'False', ...(holds ? held : clear) };
}

function discovery({ undiscovered }: Seen): Wording {
  return {
    type: 'NamespaceDeletionDiscoveryFailure',
    holds: undiscovered.length > 0,
    clear: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    held: {
      reason: 'DiscoveryFailed',
      message: `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscovered.join(', ')}`,
    },
  };
}

function deletion({ failures }: Seen): Wording {
  return {
    type: 'NamespaceDeletionContentFailure',
    holds: failures.length > 0,
    clear: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    held: {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
    },
  };
}

function content({ remaining }: Seen): Wording {
  const counts = remaining.map(
    ({ plural, group, objects }) => `${plural}.${group} has ${objects.length} resource instances`,
  );
  return {
    type: 'NamespaceContentRemaining',
    holds: remaining.length > 0,
    clear: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    held: { reason: 'SomeResourcesRemain', message: `Some resources are remaining: ${counts.sort().join(', ')}` },
  };
}

function finalizers({ remaining }: Seen): Wording {
  const counts = new Map<string, number>();
  for (const finalizer of remaining.flatMap(kind => kind.objects.flatMap(object => object.metadata.finalizers ?? []))) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  const texts = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  return {
    type: 'NamespaceFinalizersRemaining',
    holds: texts.length > 0,
    clear: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    held: {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${texts.sort().join(', ')}`,
    },
  };
}
