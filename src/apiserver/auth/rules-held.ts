// All rules that somebody holds, as SelfSubjectRulesReview lists them (`kubectl auth can-i --list`).

import type { PolicyRule } from '../../kube/core/other.ts';
import type { JsonObject } from '../parts.ts';
import type { Grant } from './rbac-snapshot.ts';

interface Held {
  readonly resourceRules: readonly JsonObject[];
  readonly nonResourceRules: readonly JsonObject[];
  /** Bindings to roles that do not exist. */
  readonly problems: readonly string[];
}

export function rulesHeld(grants: readonly Grant[]): Held {
  const rules = grants.flatMap(grant => grant.rules ?? []);
  return {
    resourceRules: rules.filter(rule => hasSome(rule.resources)).map(onResources),
    nonResourceRules: rules.filter(rule => hasSome(rule.nonResourceURLs)).map(onPaths),
    problems: grants.filter(grant => grant.rules === undefined).map(grant => grant.source),
  };
}

const hasSome = (values: readonly string[] | undefined): boolean => values !== undefined && values.length > 0;

function onResources({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs: [...verbs],
    apiGroups: [...(apiGroups ?? [])],
    resources: [...(resources ?? [])],
    ...(hasSome(resourceNames) ? { resourceNames: [...(resourceNames ?? [])] } : {}),
  };
}

const onPaths = ({ verbs, nonResourceURLs }: PolicyRule): JsonObject => ({
  verbs: [...verbs],
  nonResourceURLs: [...(nonResourceURLs ?? [])],
});
