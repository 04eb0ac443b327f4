// The roles that people are given: cluster-admin, admin, edit, view, and what everybody may do.

import type { PolicyRule } from '../../../kube/core/other.ts';
import { rule, urls } from './rule.ts';

/** A ClusterRole before it is made an object. `aggregates` is the label whose bearers it takes its rules from. */
export interface DefaultRole {
  readonly name: string;
  readonly rules?: readonly PolicyRule[];
  readonly aggregates?: string;
  /** Label by which another default role takes it in. */
  readonly feeds?: string;
}

const HEALTH = '/livez /readyz /healthz';

const VIEW: readonly PolicyRule[] = [
  rule(
    'READ',
    'core',
    'pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status endpoints persistentvolumeclaims persistentvolumeclaims/status configmaps',
  ),
  rule(
    'READ',
    'core',
    'limitranges resourcequotas bindings pods/status resourcequotas/status namespaces/status replicationcontrollers/status pods/log',
  ),
  rule('READ', 'core', 'namespaces'),
  rule('READ', 'core events.k8s.io', 'events'),
  rule('READ', 'discovery.k8s.io', 'endpointslices'),
  rule(
    'READ',
    'apps',
    'controllerrevisions statefulsets statefulsets/status statefulsets/scale daemonsets daemonsets/status deployments deployments/status deployments/scale replicasets replicasets/status replicasets/scale',
  ),
  rule('READ', 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule('READ', 'batch', 'jobs cronjobs cronjobs/status jobs/status'),
  rule(
    'READ',
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status replicasets replicasets/scale replicasets/status replicationcontrollers/scale networkpolicies',
  ),
  rule('READ', 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule('READ', 'networking.k8s.io', 'networkpolicies ingresses ingresses/status'),
  rule('READ', 'resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
];

const POD_ACCESS = 'pods/attach pods/proxy pods/exec pods/portforward';

const EDIT: readonly PolicyRule[] = [
  rule('READ', 'core', `${POD_ACCESS} secrets services/proxy`),
  rule('impersonate', 'core', 'serviceaccounts'),
  rule('WRITE', 'core', `pods ${POD_ACCESS}`),
  rule('create', 'core', 'pods/eviction'),
  rule(
    'WRITE',
    'core',
    'replicationcontrollers replicationcontrollers/scale serviceaccounts services services/proxy persistentvolumeclaims configmaps secrets',
  ),
  rule('create', 'core', 'serviceaccounts/token'),
  rule('WRITE', 'core events.k8s.io', 'events'),
  rule(
    'WRITE',
    'apps',
    'statefulsets statefulsets/scale daemonsets deployments deployments/scale deployments/rollback replicasets replicasets/scale',
  ),
  rule('WRITE', 'autoscaling', 'horizontalpodautoscalers'),
  rule('WRITE', 'batch', 'jobs cronjobs'),
  rule(
    'WRITE',
    'extensions',
    'daemonsets deployments deployments/scale deployments/rollback ingresses replicasets replicasets/scale replicationcontrollers/scale networkpolicies',
  ),
  rule('WRITE', 'policy', 'poddisruptionbudgets'),
  rule('WRITE', 'networking.k8s.io', 'networkpolicies ingresses'),
  rule('ALL', 'coordination.k8s.io', 'leases'),
  rule('WRITE', 'resource.k8s.io', 'resourceclaims resourceclaimtemplates'),
];

export const USER_ROLES: readonly DefaultRole[] = [
  { name: 'cluster-admin', rules: [rule('*', '*', '*'), urls('*', '*')] },
  { name: 'admin', aggregates: 'admin' },
  { name: 'edit', aggregates: 'edit', feeds: 'admin' },
  { name: 'view', aggregates: 'view', feeds: 'edit' },
  {
    name: 'system:aggregate-to-admin',
    feeds: 'admin',
    rules: [
      rule('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
      rule('ALL', 'rbac.authorization.k8s.io', 'roles rolebindings'),
    ],
  },
  { name: 'system:aggregate-to-edit', feeds: 'edit', rules: EDIT },
  { name: 'system:aggregate-to-view', feeds: 'view', rules: VIEW },
  {
    name: 'system:basic-user',
    rules: [
      rule('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      rule('create', 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:discovery',
    rules: [urls('get', `${HEALTH} /version /version/ /openapi /openapi/* /api /api/* /apis /apis/*`)],
  },
  { name: 'system:public-info-viewer', rules: [urls('get', `${HEALTH} /version /version/`)] },
  {
    name: 'system:monitoring',
    rules: [
      urls('get', `/metrics /metrics/slis ${HEALTH} /livez/* /readyz/* /healthz/* /flagz /statusz`),
      rule('get', 'core', 'nodes/metrics'),
    ],
  },
];
