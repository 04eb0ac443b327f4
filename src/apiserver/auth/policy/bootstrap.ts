// The RBAC objects that a new cluster starts with, as objects to be created once.

import type { JsonObject } from '../../parts.ts';
import { ANNOTATIONS, LABELS } from './marks.ts';
import { SYSTEM_ROLES } from './system-roles.ts';
import { type DefaultRole, USER_ROLES } from './user-roles.ts';

const API_VERSION = 'rbac.authorization.k8s.io/v1';
const RBAC_GROUP = 'rbac.authorization.k8s.io';

const group = (name: string): JsonObject => ({ apiGroup: RBAC_GROUP, kind: 'Group', name });
const user = (name: string): JsonObject => ({ apiGroup: RBAC_GROUP, kind: 'User', name });
const account = (namespace: string, name: string): JsonObject => ({ kind: 'ServiceAccount', name, namespace });

const AUTHENTICATED = group('system:authenticated');
const SERVICE_ACCOUNTS = group('system:serviceaccounts');

/** Role name to subjects. system:node keeps an empty binding: nodes are the Node authorizer's. */
const BINDINGS: Readonly<Record<string, readonly JsonObject[]>> = {
  'cluster-admin': [group('system:masters')],
  'system:basic-user': [AUTHENTICATED],
  'system:discovery': [AUTHENTICATED],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:kube-dns': [account('kube-system', 'kube-dns')],
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:monitoring': [group('system:monitoring')],
  'system:node': [],
  'system:node-proxier': [user('system:kube-proxy')],
  'system:public-info-viewer': [AUTHENTICATED, group('system:unauthenticated')],
  'system:service-account-issuer-discovery': [SERVICE_ACCOUNTS],
  'system:volume-scheduler': [user('system:kube-scheduler')],
};

/** Nodes renew their own certificates without a person (safe-18); kubeadm binds the same role in its clusters. */
const RENEWAL: JsonObject = {
  ...bindingObject('system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', [group('system:nodes')]),
  metadata: { name: 'pippin.dev:node-certificate-renewal' },
};

/** ClusterRoles and ClusterRoleBindings, in the order in which they may be created. */
export function bootstrapObjects(): readonly JsonObject[] {
  const bindings = Object.entries(BINDINGS).map(([role, subjects]) => bindingObject(role, subjects));
  return [...[...USER_ROLES, ...SYSTEM_ROLES].map(roleObject), ...bindings, RENEWAL];
}

const aggregateLabel = (to: string): JsonObject => ({ [`rbac.authorization.k8s.io/aggregate-to-${to}`]: 'true' });

function roleObject({ name, rules, aggregates, feeds }: DefaultRole): JsonObject {
  const labels = { ...LABELS, ...(feeds === undefined ? {} : aggregateLabel(feeds)) };
  const aggregationRule =
    aggregates === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateLabel(aggregates) }] } };
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRole',
    metadata: { name, labels, annotations: ANNOTATIONS },
    ...aggregationRule,
    rules: (rules ?? []).map(rule => ({ ...rule })),
  };
}

function bindingObject(role: string, subjects: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: { name: role, labels: LABELS, annotations: ANNOTATIONS },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
    ...(subjects.length === 0 ? {} : { subjects }),
  };
}
