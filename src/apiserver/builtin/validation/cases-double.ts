// Objects that the real server refuses, or takes: what it says is recorded by test/kube, and ours is held against it.

import type { JsonObject } from '../../parts.ts';

export interface RefusalCase {
  readonly says: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly cluster?: true;
  readonly object: JsonObject;
  /** A second state, written over the first: what is refused then is the change. */
  readonly change?: JsonObject;
}

type Base = Pick<RefusalCase, 'apiVersion' | 'plural' | 'cluster'> & { readonly kind: string };

const kinds = {
  pod: { apiVersion: 'v1', plural: 'pods', kind: 'Pod' },
  node: { apiVersion: 'v1', plural: 'nodes', kind: 'Node', cluster: true },
  secret: { apiVersion: 'v1', plural: 'secrets', kind: 'Secret' },
  configMap: { apiVersion: 'v1', plural: 'configmaps', kind: 'ConfigMap' },
  service: { apiVersion: 'v1', plural: 'services', kind: 'Service' },
  event: { apiVersion: 'v1', plural: 'events', kind: 'Event' },
  lease: { apiVersion: 'coordination.k8s.io/v1', plural: 'leases', kind: 'Lease' },
  deployment: { apiVersion: 'apps/v1', plural: 'deployments', kind: 'Deployment' },
  replicaSet: { apiVersion: 'apps/v1', plural: 'replicasets', kind: 'ReplicaSet' },
  daemonSet: { apiVersion: 'apps/v1', plural: 'daemonsets', kind: 'DaemonSet' },
  job: { apiVersion: 'batch/v1', plural: 'jobs', kind: 'Job' },
  role: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'roles', kind: 'Role' },
  roleBinding: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'rolebindings', kind: 'RoleBinding' },
  budget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets', kind: 'PodDisruptionBudget' },
} satisfies Readonly<Record<string, Base>>;

function of(base: Base, says: string, body: JsonObject, change?: JsonObject): RefusalCase {
  const { kind, ...rest } = base;
  const whole = (more: JsonObject): JsonObject => ({ apiVersion: base.apiVersion, kind, ...more });
  return { ...rest, says, object: whole(body), ...(change === undefined ? {} : { change: whole(change) }) };
}

const main = { name: 'a', image: 'a' };
const spec = (more: JsonObject = {}): JsonObject => ({
  serviceAccountName: 'builder',
  automountServiceAccountToken: false,
  containers: [main],
  ...more,
});
const pod = (says: string, more: JsonObject, change?: JsonObject): RefusalCase =>
  of(kinds.pod, says, { spec: spec(more) }, change === undefined ? undefined : { spec: spec(change) });
const container = (says: string, more: JsonObject): RefusalCase => pod(says, { containers: [{ ...main, ...more }] });

const pods: readonly RefusalCase[] = [
  pod('a Pod without containers', { containers: [] }),
  container('a container without a name', { name: '' }),
  container('a container whose name is no label', { name: 'Not_A_Label' }),
  pod('two containers of one name', { containers: [main, main] }),
  pod('an init container that has the name of another', { initContainers: [main] }),
  container('a container without an image', { image: '' }),
  container('an image in spaces', { image: ' a ' }),
  container('a pull policy that does not exist', { imagePullPolicy: 'Sometimes' }),
  container('a port out of range', { ports: [{ containerPort: 70000 }] }),
  container('a port that is not said', { ports: [{ name: 'x' }] }),
  container('a protocol that does not exist', { ports: [{ containerPort: 1, protocol: 'IPX' }] }),
  container('two ports of one name', {
    ports: [
      { name: 'x', containerPort: 1 },
      { name: 'x', containerPort: 2 },
    ],
  }),
  container('a port name that is none', { ports: [{ name: 'Not_A_Port', containerPort: 1 }] }),
  container('a variable without a name', { env: [{ value: '1' }] }),
  container('a variable with a name that is none', { env: [{ name: 'a=b', value: '1' }] }),
  container('a variable with a value and a source', {
    env: [{ name: 'A', value: '1', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  container('a variable whose source is empty', { env: [{ name: 'A', valueFrom: {} }] }),
  container('a variable from a field that does not exist', {
    env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.nothing' } } }],
  }),
  container('a variable from a Secret without a key', {
    env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }],
  }),
  container('variables from nowhere', { envFrom: [{}] }),
  container('a mount of a volume that is not there', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
  container('a mount without a path', { volumeMounts: [{ name: 'v', mountPath: '' }] }),
  container('a request above its limit', { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
  container('a negative request', { resources: { requests: { cpu: '-1' } } }),
  container('a resource that does not exist', { resources: { requests: { colour: '1' } } }),
  container('a probe that does nothing', { livenessProbe: {} }),
  container('a probe that does two things', {
    livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } },
  }),
  container('a probe with a negative period', { livenessProbe: { exec: { command: ['a'] }, periodSeconds: -1 } }),
  container('a liveness probe that must succeed twice', {
    livenessProbe: { exec: { command: ['a'] }, successThreshold: 2 },
  }),
  pod('a restart policy that does not exist', { restartPolicy: 'Maybe' }),
  pod('a DNS policy that does not exist', { dnsPolicy: 'Maybe' }),
  pod('a negative grace period', { terminationGracePeriodSeconds: -5 }),
  pod('a deadline of no time', { activeDeadlineSeconds: 0 }),
  pod('a node selector whose value is none', { nodeSelector: { a: 'b c' } }),
  pod('a Node name that is none', { nodeName: 'Not_A_Node' }),
  pod('a host name that is none', { hostname: 'Not.A.Host' }),
  pod('a toleration of everything by value', { tolerations: [{ operator: 'Equal', value: 'x' }] }),
  pod('a toleration with an operator that does not exist', { tolerations: [{ key: 'a', operator: 'Like' }] }),
  pod('a toleration that exists and has a value', { tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] }),
  pod('a toleration of an effect that does not exist', {
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'Boo' }],
  }),
  pod('seconds of patience without NoExecute', {
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 }],
  }),
  pod('a volume without a name', { volumes: [{ emptyDir: {} }] }),
  pod('two volumes of one name', {
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
  }),
  pod('a volume of two kinds', { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }),
  pod('a host path without a path', { volumes: [{ name: 'v', hostPath: { path: '' } }] }),
  pod('a Secret volume without a Secret', { volumes: [{ name: 'v', secret: {} }] }),
  pod('a preferred term without weight', {
    affinity: {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] },
    },
  }),
  pod('a required affinity without terms', {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  }),
  pod('an expression with an operator that does not exist', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] }],
        },
      },
    },
  }),
  pod('an expression without values', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
        },
      },
    },
  }),
  pod('everything that is well', {
    hostname: 'web',
    activeDeadlineSeconds: 5,
    nodeSelector: { a: 'b' },
    tolerations: [{ operator: 'Exists' }, { key: 'x', value: 'y', effect: 'NoExecute', tolerationSeconds: 5 }],
    volumes: [{ name: 'v' }, { name: 'h', hostPath: { path: '/x' } }],
  }),
  pod('a change of the image', {}, { containers: [{ name: 'a', image: 'b' }] }),
  pod('a toleration more', {}, { tolerations: [{ key: 'a', operator: 'Exists' }] }),
  pod('a toleration less', { tolerations: [{ key: 'a', operator: 'Exists' }] }, { tolerations: [] }),
  pod('a longer deadline', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 6 }),
  pod('a container more', {}, { containers: [main, { name: 'b', image: 'b' }] }),
];

const template = (more: JsonObject = {}, labels: JsonObject = { app: 'web' }): JsonObject => ({
  metadata: { labels },
  spec: spec(more),
});
const workload = (more: JsonObject = {}): JsonObject => ({
  spec: { selector: { matchLabels: { app: 'web' } }, template: template(), ...more },
});

const workloads: readonly RefusalCase[] = [
  of(
    kinds.deployment,
    'a Deployment whose selector misses its Pods',
    workload({ template: template({}, { app: 'x' }) }),
  ),
  of(kinds.deployment, 'a Deployment without a selector', { spec: { template: template() } }),
  of(kinds.deployment, 'a Deployment whose selector is empty', workload({ selector: {} })),
  of(kinds.deployment, 'fewer than no replicas', workload({ replicas: -1 })),
  of(kinds.deployment, 'a strategy that does not exist', workload({ strategy: { type: 'Slowly' } })),
  of(kinds.deployment, 'recreating in a rolling way', workload({ strategy: { type: 'Recreate', rollingUpdate: {} } })),
  of(
    kinds.deployment,
    'rolling without moving',
    workload({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
  ),
  of(
    kinds.deployment,
    'a share above the whole',
    workload({ strategy: { rollingUpdate: { maxUnavailable: '101%' } } }),
  ),
  of(
    kinds.deployment,
    'a template that does not restart',
    workload({ template: template({ restartPolicy: 'Never' }) }),
  ),
  of(
    kinds.deployment,
    'a template without an image',
    workload({ template: template({ containers: [{ name: 'a' }] }) }),
  ),
  of(
    kinds.deployment,
    'another selector',
    workload(),
    workload({ selector: { matchLabels: { app: 'x' } }, template: template({}, { app: 'x' }) }),
  ),
  of(
    kinds.deployment,
    'a deadline no longer than what it waits for',
    workload({ progressDeadlineSeconds: 5, minReadySeconds: 5 }),
  ),
  of(
    kinds.replicaSet,
    'a ReplicaSet whose selector misses its Pods',
    workload({ template: template({}, { app: 'x' }) }),
  ),
  of(
    kinds.replicaSet,
    'another selector of a ReplicaSet',
    workload(),
    workload({ selector: { matchLabels: { b: 'x' } }, template: template({}, { b: 'x' }) }),
  ),
  of(kinds.daemonSet, 'a DaemonSet whose selector misses its Pods', workload({ template: template({}, { app: 'x' }) })),
  of(kinds.job, 'a Job that always restarts', { spec: { template: { spec: spec() } } }),
];

const node = (says: string, body: JsonObject, change?: JsonObject): RefusalCase =>
  of(kinds.node, says, { spec: body }, change === undefined ? undefined : { spec: change });

const cluster: readonly RefusalCase[] = [
  node('a taint without an effect', { taints: [{ key: 'a' }] }),
  node('a taint of an effect that does not exist', { taints: [{ key: 'a', effect: 'Boo' }] }),
  node('a taint without a key', { taints: [{ effect: 'NoSchedule' }] }),
  node('the same taint twice', {
    taints: [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoSchedule', value: 'b' },
    ],
  }),
  node('another providerID', { providerID: 'a://b' }, { providerID: 'a://c' }),
  node('a first providerID', {}, { providerID: 'a://c' }),
  node('a cordon', {}, { unschedulable: true }),
  of(kinds.lease, 'a Lease of no time', { spec: { leaseDurationSeconds: 0 } }),
  of(kinds.lease, 'a Lease that nobody holds', { spec: { holderIdentity: '' } }),
  of(kinds.lease, 'fewer than no transitions', { spec: { leaseTransitions: -1 } }),
  of(kinds.secret, 'a key that is no file name', { data: { 'a/b': '' } }),
  of(kinds.secret, 'TLS without its files', { type: 'kubernetes.io/tls' }),
  of(kinds.secret, 'a registry login that is no JSON', {
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': 'eA==' },
  }),
  of(kinds.secret, 'a registry login without its file', { type: 'kubernetes.io/dockerconfigjson' }),
  of(kinds.secret, 'an SSH key without its key', { type: 'kubernetes.io/ssh-auth' }),
  of(kinds.secret, 'a login without a name', { type: 'kubernetes.io/basic-auth' }),
  of(kinds.secret, 'a token of nobody', { type: 'kubernetes.io/service-account-token' }),
  of(kinds.secret, 'another type', { type: 'a/b' }, { type: 'a/c' }),
  of(kinds.configMap, 'a key that is no file name', { data: { '..': '' } }),
  of(kinds.configMap, 'a key in both forms', { data: { a: '' }, binaryData: { a: '' } }),
  of(kinds.configMap, 'a change of what is immutable', { data: { a: '1' }, immutable: true }, { data: { a: '2' } }),
  of(kinds.event, 'an Event about another namespace', {
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'other' },
  }),
  of(kinds.event, 'an Event of the new form without its fields', {
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' },
    eventTime: '2024-01-02T03:04:05.000000Z',
  }),
  of(kinds.role, 'a rule without verbs', { rules: [{ apiGroups: [''], resources: ['pods'] }] }),
  of(kinds.role, 'a rule about no resources', { rules: [{ verbs: ['get'], apiGroups: [''] }] }),
  of(kinds.role, 'a rule about no groups', { rules: [{ verbs: ['get'], resources: ['pods'] }] }),
  of(kinds.role, 'paths in a namespace', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }),
  of(kinds.roleBinding, 'a binding of a kind that is no role', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Pod', name: 'a' },
  }),
  of(kinds.roleBinding, 'a binding of nothing', { roleRef: { apiGroup: 'x', kind: 'Role', name: '' } }),
  of(kinds.roleBinding, 'subjects that are none', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
    subjects: [
      { kind: 'ServiceAccount', name: 'x' },
      { kind: 'User', name: '' },
      { kind: 'Robot', name: 'r' },
      { kind: 'User', name: 'u', apiGroup: 'x' },
    ],
  }),
  of(
    kinds.roleBinding,
    'another role',
    { roleRef: { kind: 'Role', name: 'a' } },
    { roleRef: { kind: 'Role', name: 'b' } },
  ),
  of(kinds.service, 'a Service without ports', { spec: {} }),
  of(kinds.service, 'a port out of range', { spec: { ports: [{ port: 0 }] } }),
  of(kinds.service, 'two ports without names', { spec: { ports: [{ port: 1 }, { port: 2 }] } }),
  of(kinds.service, 'a type that does not exist', { spec: { type: 'Magic', ports: [{ port: 1 }] } }),
  of(kinds.budget, 'a budget of both kinds', {
    spec: { minAvailable: 1, maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } },
  }),
  of(kinds.budget, 'a budget below nothing', { spec: { minAvailable: -1 } }),
];

export const refusalCases: readonly RefusalCase[] = [...pods, ...workloads, ...cluster];
