// Which of the Nodes that can take a Pod takes it: preferences, soft taints, then the least allocated; names break ties.

import type { Pod } from '../../kube/core/pod.ts';
import { tolerates } from '../tolerations.ts';
import { preferenceOf } from './affinity.ts';
import type { Candidate } from './filter.ts';
import { type Amounts, allocatableOf, ONE, requestsOf } from './resources.ts';

/** kube-scheduler's default weights of its NodeAffinity, TaintToleration and NodeResourcesFit scores. */
const WEIGHTS = { affinity: 2, taints: 3, resources: 1 } as const;

const BEST = 100;

/** The Node for the Pod. The same input gives the same answer, in whatever order it comes. */
export function bestOf(pod: Pod, candidates: readonly Candidate[]): Candidate | undefined {
  const preferences = candidates.map(candidate => preferenceOf(pod, candidate.node));
  const softTaints = candidates.map(candidate => untoleratedSoftTaints(pod, candidate));
  const mostPreferred = Math.max(0, ...preferences);
  const mostTaints = Math.max(0, ...softTaints);
  const scored = candidates.map((candidate, index) => ({
    candidate,
    score:
      WEIGHTS.affinity * share(preferences[index] ?? 0, mostPreferred) +
      WEIGHTS.taints * (BEST - share(softTaints[index] ?? 0, mostTaints)) +
      WEIGHTS.resources * freedom(pod, candidate),
  }));
  scored.sort((one, other) => other.score - one.score || compareNames(one.candidate, other.candidate));
  return scored[0]?.candidate;
}

const share = (value: number, most: number): number => (most === 0 ? 0 : (BEST * value) / most);

function untoleratedSoftTaints(pod: Pod, { node }: Candidate): number {
  const soft = (node.spec?.taints ?? []).filter(taint => taint.effect === 'PreferNoSchedule');
  return soft.filter(taint => !(pod.spec.tolerations?.some(toleration => tolerates(toleration, taint)) ?? false))
    .length;
}

/** Pods that ask nothing count as a little, so that they spread too. */
const LITTLE: Readonly<Record<string, number>> = { cpu: 0.1 * ONE, memory: 200 * 2 ** 20 * ONE };

/** The mean share of CPU and memory that stays free with the Pod there, and of Pod places where neither is told. */
function freedom(pod: Pod, { node, held }: Candidate): number {
  const allocatable = allocatableOf(node);
  const asked = requestsOf(pod);
  const named = ['cpu', 'memory'].filter(name => (allocatable.get(name) ?? 0) > 0);
  const shares = [...named, 'pods'].map(name => freeShare(name, { allocatable, asked, held }));
  return shares.reduce((sum, one) => sum + one, 0) / shares.length;
}

function freeShare(
  name: string,
  amounts: { readonly allocatable: Amounts; readonly asked: Amounts; readonly held: Amounts },
): number {
  const total = amounts.allocatable.get(name) ?? 0;
  if (total === 0) return 0;
  const asked = Math.max(amounts.asked.get(name) ?? 0, LITTLE[name] ?? 0);
  return Math.max(0, (BEST * (total - (amounts.held.get(name) ?? 0) - asked)) / total);
}

function compareNames(one: Candidate, other: Candidate): number {
  return one.node.metadata.name < other.node.metadata.name ? -1 : 1;
}
