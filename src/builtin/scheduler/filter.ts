// Why a Pod cannot go to a Node, in kube-scheduler's words; nothing when it can (builtin-16).

import type { Node, Taint } from '../../kube/core/node.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { tolerates } from '../tolerations.ts';
import { isChosen } from './affinity.ts';
import { type Amounts, allocatableOf, missing, PODS, requestsOf } from './resources.ts';

/** A Node and what the Pods on it, and those on their way to it, hold. */
export interface Candidate {
  readonly node: Node;
  readonly held: Amounts;
}

/** The reasons of the first check that fails, as kube-scheduler stops there; for resources all that are short. */
export function refusalsOf(pod: Pod, { node, held }: Candidate): readonly string[] {
  if (node.spec?.unschedulable === true && !toleratesCordon(pod)) return ['node(s) were unschedulable'];
  const taint = node.spec?.taints?.find(candidate => isRepelled(pod, candidate));
  if (taint !== undefined) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  if (!isChosen(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  return missing(requestsOf(pod), allocatableOf(node), held).map(name =>
    name === PODS ? 'Too many pods' : `Insufficient ${name}`,
  );
}

function isRepelled(pod: Pod, taint: Taint): boolean {
  if (taint.effect === 'PreferNoSchedule') return false;
  return !(pod.spec.tolerations?.some(toleration => tolerates(toleration, taint)) ?? false);
}

function toleratesCordon(pod: Pod): boolean {
  const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  return pod.spec.tolerations?.some(toleration => tolerates(toleration, cordon)) ?? false;
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.` */
export function unschedulableMessage(refusals: readonly (readonly string[])[]): string {
  if (refusals.length === 0) return 'no nodes available to schedule pods';
  const counts = new Map<string, number>();
  for (const reason of refusals.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${refusals.length} nodes are available: ${texts.join(', ')}.`;
}
