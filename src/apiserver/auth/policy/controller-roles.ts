// The roles of kube-controller-manager's parts and of kube-system, for whoever binds to them by their names. No
// controller of ours has one of these: they grant more than ours use.

import type { JsonObject } from '../../parts.ts';
import roles from './controller-roles.generated.json' with { type: 'json' };
import { ANNOTATIONS, LABELS } from './marks.ts';

const RBAC = 'rbac.authorization.k8s.io';

interface Row {
  readonly namespace?: string;
  readonly name: string;
  readonly rules: readonly JsonObject[];
  readonly binding?: string;
  readonly subjects: readonly JsonObject[];
}

/** Each followed by its binding. */
export const controllerRoles = (): readonly JsonObject[] => (roles as readonly Row[]).flatMap(withBinding);

function withBinding({ namespace, name, rules, binding = name, subjects }: Row): readonly JsonObject[] {
  const scope = namespace === undefined ? 'Cluster' : '';
  const object = (kind: string, own: string): JsonObject => ({
    apiVersion: `${RBAC}/v1`,
    kind: `${scope}${kind}`,
    metadata: {
      name: own,
      ...(namespace === undefined ? {} : { namespace }),
      labels: LABELS,
      annotations: ANNOTATIONS,
    },
  });
  return [
    { ...object('Role', name), rules },
    {
      ...object('RoleBinding', binding),
      roleRef: { apiGroup: RBAC, kind: `${scope}Role`, name },
      subjects,
    },
  ];
}
