// Whether a Node is one that a Pod asks for by labels: node selector, required and preferred node affinity.

import type { Node } from '../../kube/core/node.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../../kube/core/pod.ts';

/** Node selector and required affinity together: both must hold; of the terms of an affinity, any. */
export function isChosen(pod: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const bySelector = Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return bySelector && (required === undefined || required.nodeSelectorTerms.some(term => termHolds(term, node)));
}

/** The summed weights of the preferences that this Node meets. */
export function preferenceOf(pod: Pod, node: Node): number {
  const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred.filter(({ preference }) => termHolds(preference, node)).reduce((sum, { weight }) => sum + weight, 0);
}

/** A term without any expression matches nothing. */
function termHolds(term: NodeSelectorTerm, node: Node): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every(expression => holds(expression, node.metadata.labels?.[expression.key])) &&
    fields.every(field => holds(field, field.key === 'metadata.name' ? node.metadata.name : undefined))
  );
}

function holds({ operator, values = [] }: NodeSelectorRequirement, actual: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual);
    case 'NotIn':
      return actual === undefined || !values.includes(actual);
    case 'Exists':
      return actual !== undefined;
    case 'DoesNotExist':
      return actual === undefined;
    case 'Gt':
      return compare(actual, values[0], (one, other) => one > other);
    case 'Lt':
      return compare(actual, values[0], (one, other) => one < other);
    default:
      return false;
  }
}

function compare(
  actual: string | undefined,
  wanted: string | undefined,
  holdsFor: (actual: number, wanted: number) => boolean,
): boolean {
  if (actual === undefined || wanted === undefined || !/^-?\d+$/.test(actual)) return false;
  return holdsFor(Number(actual), Number(wanted));
}
