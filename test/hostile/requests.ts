// Requests that no well-meaning client sends: malformed, contradictory, hostile; the same from the same seed.

import fc from 'fast-check';
import type { Json } from '../../src/apiserver/parts.ts';
import type { ApiRequest } from '../../src/kube/transport.ts';

export interface HostileRequest {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly type: string;
  readonly accept: string;
  readonly query: string;
  /** Latin-1: each letter a byte. */
  readonly body: string;
  /** Empty: the administrator's. */
  readonly authorization: string;
  readonly impersonate: string;
}

const PATHS = [
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/pods/p',
  '/api/v1/namespaces/default/pods/p/status',
  '/api/v1/namespaces/default/pods/p/binding',
  '/api/v1/namespaces/default/pods/p/eviction',
  '/api/v1/namespaces/default/pods/p/ephemeralcontainers',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/events',
  '/apis/events.k8s.io/v1/namespaces/default/events',
  '/api/v1/namespaces/default/finalize',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/deployments/d',
  '/apis/apps/v1/namespaces/default/deployments/d/scale',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com',
  '/apis/example.com/v1/namespaces/default/gadgets',
  '/apis/example.com/v1/namespaces/default/gadgets/g',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis',
  '/openapi/v3/api/v1',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/serviceaccounts/default/token',
  '/api/v1/namespaces/default/pods/p/log',
  '/api/v1/%00/%ff//..;/pods',
];
const TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const KINDS = ['Pod', 'Secret', 'Event', 'Deployment', 'Gadget', 'Binding', 'Scale', 'CustomResourceDefinition', ''];
const VERSIONS = [
  'v1',
  'apps/v1',
  'example.com/v1',
  'apiextensions.k8s.io/v1',
  'autoscaling/v1',
  'events.k8s.io/v1',
  '',
];
const KEYS = [
  'metadata',
  'spec',
  'status',
  'data',
  'name',
  'labels',
  'finalizers',
  'ownerReferences',
  'containers',
  'replicas',
  'versions',
  'names',
  'schema',
  'managedFields',
  '$patch',
  '__proto__',
  'constructor',
  'conditions',
  'template',
  'op',
  'path',
];

const key = fc.constantFrom(...KEYS);
const { value } = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, -1, 1e21, '', 'p', 'a/b', '/metadata/labels', 'replace', [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
const named = fc.record({ name: fc.constantFrom<Json>('p', 'd', 'g', 'gadgets.example.com', 5, ''), rest: value });

const body = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom(...KINDS),
      apiVersion: fc.constantFrom(...VERSIONS),
      metadata: named,
      spec: value,
      status: value,
    })
    .map(object =>
      JSON.stringify({ ...object, metadata: { ...(object.metadata.rest as object), name: object.metadata.name } }),
    ),
  value.map(any => JSON.stringify(any)),
  fc.string({ maxLength: 30 }),
  fc.uint8Array({ maxLength: 60 }).map(bytes => `k8s\0${Buffer.from(bytes).toString('latin1')}`),
);

/** Most requests are the administrator's: those get furthest in. */
const seldom = (...values: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...values) });

export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.record({
  method: fc.constantFrom<ApiRequest['method'][]>('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: fc.constantFrom(...PATHS),
  type: fc.constantFrom(...TYPES),
  accept: fc.constantFrom(
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    '*/*',
    ';;,,q=',
    '',
  ),
  query: fc.constantFrom(
    '',
    'fieldManager=m',
    'fieldManager=m&force=true',
    'dryRun=All',
    'limit=1&continue=x',
    'watch=1&timeoutSeconds=1',
    'labelSelector=%28%28',
    'fieldSelector=%3D',
    'fieldValidation=Strict&fieldManager=x',
    'resourceVersion=18446744073709551616',
    '%%%',
  ),
  body,
  authorization: seldom('Bearer x', 'Bearer a.b.c', 'Basic eDp5', 'Bearer \u0000'),
  impersonate: seldom('system:anonymous', 'system:node:x', 'system:serviceaccount:a', 'x,y'),
});
