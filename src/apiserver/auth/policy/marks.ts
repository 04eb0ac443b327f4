// How Kubernetes marks the roles and bindings that it brings itself.

export const ANNOTATIONS = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };
export const LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
