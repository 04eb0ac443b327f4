// Aggregated ClusterRoles: the rules of every ClusterRole that the selectors name, in one.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { ClusterRole, type PolicyRule } from '../../kube/core/other.ts';
import { isDeleting, keyOf } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';
import { unlessOvertaken } from '../overtaken.ts';
import { type LabelSelector, selects } from '../selectors.ts';

interface AggregationRule {
  readonly clusterRoleSelectors?: readonly LabelSelector[];
}

/** As kube-controller-manager: whoever else writes rules loses them. */
const APPLY = { type: 'apply', fieldManager: 'clusterrole-aggregation-controller', force: true } as const;

export function roleAggregation(): KeyController<KubeWorld> {
  return {
    name: 'clusterrole-aggregation',
    kind: ClusterRole,
    wokenBy: [{ kind: ClusterRole, keysFor: (_role, world) => aggregating(world).map(keyOf) }],
    async pass(key, _object, world) {
      const roles = world.caches.of(ClusterRole);
      const role = roles.get(key);
      if (role === undefined || isDeleting(role) || selectorsOf(role).length === 0) return done();
      const rules = aggregated(role, roles.list());
      if (JSON.stringify(role.rules ?? []) === JSON.stringify(rules)) return done();
      const { name } = role.metadata;
      const applied = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: ClusterRole.kind, metadata: { name }, rules };
      await unlessOvertaken(() => world.api.patch(ClusterRole, key, applied, APPLY));
      return done();
    },
  };
}

/** Rules in the order of the roles' names, each once. */
function aggregated(role: ClusterRole, all: readonly ClusterRole[]): readonly PolicyRule[] {
  const selectors = selectorsOf(role);
  const chosen = all
    .filter(other => other.metadata.name !== role.metadata.name)
    .filter(other => selectors.some(selector => selects(selector, other.metadata.labels ?? {})))
    .sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
  const byText = new Map(chosen.flatMap(other => other.rules ?? []).map(rule => [JSON.stringify(rule), rule]));
  return [...byText.values()];
}

const aggregating = (world: KubeWorld): readonly ClusterRole[] =>
  world.caches
    .of(ClusterRole)
    .list()
    .filter(role => selectorsOf(role).length > 0);

function selectorsOf(role: ClusterRole): readonly LabelSelector[] {
  const rule: AggregationRule = role.aggregationRule ?? {};
  return rule.clusterRoleSelectors ?? [];
}
