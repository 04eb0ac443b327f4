// The built-in resources that our own programs use, by hand, until the generated tables take their place.

import type { Resource } from './parts.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

interface Line {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly string[];
  readonly cluster?: true;
  readonly virtual?: true;
}

function resource(apiVersion: string, kind: string, plural: string, line: Line = {}): Resource {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return {
    group,
    version: apiVersion.slice(slash + 1),
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    namespaced: line.cluster !== true,
    shortNames: line.shortNames ?? [],
    categories: line.categories ?? [],
    subresources: line.subresources ?? [],
    verbs: line.virtual === true ? ['create'] : VERBS,
    storageName: group === '' ? plural : `${plural}.${group}`,
    schema: {},
    origin: 'builtin',
    ...(line.virtual === true ? { virtual: true as const } : {}),
  };
}

const RBAC = 'rbac.authorization.k8s.io/v1';
const POD_SUBRESOURCES = [
  'attach',
  'binding',
  'ephemeralcontainers',
  'eviction',
  'exec',
  'log',
  'portforward',
  'status',
];

export const minimalResources: readonly Resource[] = [
  resource('v1', 'ConfigMap', 'configmaps', { shortNames: ['cm'] }),
  resource('v1', 'Event', 'events', { shortNames: ['ev'] }),
  resource('v1', 'Namespace', 'namespaces', {
    cluster: true,
    shortNames: ['ns'],
    subresources: ['finalize', 'status'],
  }),
  resource('v1', 'Node', 'nodes', { cluster: true, shortNames: ['no'], subresources: ['status'] }),
  resource('v1', 'Pod', 'pods', { shortNames: ['po'], categories: ['all'], subresources: POD_SUBRESOURCES }),
  resource('v1', 'Secret', 'secrets'),
  resource('v1', 'Service', 'services', { shortNames: ['svc'], categories: ['all'], subresources: ['status'] }),
  resource('v1', 'ServiceAccount', 'serviceaccounts', { shortNames: ['sa'], subresources: ['token'] }),
  resource('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', { shortNames: ['pvc'], subresources: ['status'] }),
  resource('v1', 'PersistentVolume', 'persistentvolumes', {
    cluster: true,
    shortNames: ['pv'],
    subresources: ['status'],
  }),
  resource('apps/v1', 'Deployment', 'deployments', {
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: ['scale', 'status'],
  }),
  resource('apps/v1', 'ReplicaSet', 'replicasets', {
    shortNames: ['rs'],
    categories: ['all'],
    subresources: ['scale', 'status'],
  }),
  resource('apps/v1', 'StatefulSet', 'statefulsets', {
    shortNames: ['sts'],
    categories: ['all'],
    subresources: ['scale', 'status'],
  }),
  resource('apps/v1', 'DaemonSet', 'daemonsets', { shortNames: ['ds'], categories: ['all'], subresources: ['status'] }),
  resource('batch/v1', 'Job', 'jobs', { categories: ['all'], subresources: ['status'] }),
  resource('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', {
    shortNames: ['pdb'],
    subresources: ['status'],
  }),
  resource('coordination.k8s.io/v1', 'Lease', 'leases'),
  resource(RBAC, 'ClusterRole', 'clusterroles', { cluster: true }),
  resource(RBAC, 'ClusterRoleBinding', 'clusterrolebindings', { cluster: true }),
  resource(RBAC, 'Role', 'roles'),
  resource(RBAC, 'RoleBinding', 'rolebindings'),
  resource('certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests', {
    cluster: true,
    shortNames: ['csr'],
    subresources: ['approval', 'status'],
  }),
  resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', {
    cluster: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
  }),
  resource('authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', {
    cluster: true,
    virtual: true,
  }),
  resource('authorization.k8s.io/v1', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews', {
    cluster: true,
    virtual: true,
  }),
  resource('authorization.k8s.io/v1', 'SubjectAccessReview', 'subjectaccessreviews', { cluster: true, virtual: true }),
  resource('authorization.k8s.io/v1', 'LocalSubjectAccessReview', 'localsubjectaccessreviews', { virtual: true }),
  resource('authentication.k8s.io/v1', 'TokenReview', 'tokenreviews', { cluster: true, virtual: true }),
  resource('authentication.k8s.io/v1', 'SelfSubjectReview', 'selfsubjectreviews', { cluster: true, virtual: true }),
];
