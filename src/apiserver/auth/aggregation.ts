// What an aggregated ClusterRole holds: the rules of all ClusterRoles that its label selectors choose.

import type { PolicyRule } from '../../kube/core/other.ts';
import type { Json, JsonObject } from '../parts.ts';
import { listAt, objectAt, textAt, textMapAt, textsAt } from './fields.ts';
import { rulesOf } from './rules.ts';

/**
 * The rules of `role`; for an aggregated one, what its selectors choose from `all` now, whatever was written into it
 * before. A chosen role may be aggregated itself; a circle ends where it closes.
 */
export function effectiveRules(role: JsonObject, all: readonly JsonObject[]): readonly PolicyRule[] {
  return gather(role, all, new Set());
}

const isAggregated = (role: JsonObject): boolean => objectAt(role, 'aggregationRule') !== undefined;

function gather(role: JsonObject, all: readonly JsonObject[], seen: Set<string>): readonly PolicyRule[] {
  if (!isAggregated(role)) return rulesOf(role);

  const name = textAt(role, 'metadata', 'name');
  if (seen.has(name)) return [];
  seen.add(name);

  const selectors = listAt(role, 'aggregationRule', 'clusterRoleSelectors');
  return all
    .filter(other => textAt(other, 'metadata', 'name') !== name && selectors.some(one => selectsLabels(one, other)))
    .flatMap(other => gather(other, all, seen));
}

/** Whether a `metav1.LabelSelector` chooses the object. An empty one chooses everything. */
function selectsLabels(selector: Json, object: JsonObject): boolean {
  const labels = textMapAt(object, 'metadata', 'labels');
  const wanted = Object.entries(textMapAt(selector, 'matchLabels'));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listAt(selector, 'matchExpressions').every(requirement => holds(requirement, labels))
  );
}

function holds(requirement: Json, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[textAt(requirement, 'key')];
  const values = textsAt(requirement, 'values');
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
