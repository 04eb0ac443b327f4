// Objects of many built-in kinds that a real server accepts, for tests that compare ours with it.

import type { JsonObject } from '../parts.ts';

export interface Stored {
  /** The collection's path. */
  readonly path: string;
  readonly object: JsonObject;
}

const NS = '/namespaces/default';
const meta = (name: string) => ({ name, labels: { app: 'web' }, annotations: { note: 'ü' } });
const container = {
  name: 'main',
  image: 'registry.example/web:1',
  env: [
    { name: 'A', value: '1' },
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  envFrom: [{ prefix: 'X_', secretRef: { name: 'token' } }],
  ports: [{ containerPort: 80, name: 'http' }],
  resources: { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { cpu: '1' } },
  livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
  readinessProbe: { tcpSocket: { port: 80 } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
};
const podSpec = {
  serviceAccountName: 'builder',
  containers: [container],
  initContainers: [{ name: 'init', image: 'busybox', command: ['true'] }],
  volumes: [
    { name: 'data', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'config', configMap: { name: 'config', items: [{ key: 'a', path: 'b' }] } },
  ],
  nodeSelector: { 'kubernetes.io/os': 'darwin' },
  tolerations: [{ key: 'tuist.dev/macos', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } },
      ],
    },
  },
};
const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
const selector = { matchLabels: { app: 'web' } };
const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }];
const subjects = [
  { kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
];

const rootOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

const namespaced = (apiVersion: string, plural: string, object: JsonObject): Stored => ({
  path: `${rootOf(apiVersion)}${NS}/${plural}`,
  object: { apiVersion, ...object },
});

const cluster = (apiVersion: string, plural: string, object: JsonObject): Stored => ({
  path: `${rootOf(apiVersion)}/${plural}`,
  object: { apiVersion, ...object },
});

export const objectsToStore: readonly Stored[] = [
  namespaced('v1', 'serviceaccounts', { kind: 'ServiceAccount', metadata: meta('builder'), secrets: [{ name: 'a' }] }),
  namespaced('v1', 'serviceaccounts', { kind: 'ServiceAccount', metadata: meta('builder-2') }),
  cluster('v1', 'namespaces', { kind: 'Namespace', metadata: meta('builds') }),
  namespaced('v1', 'configmaps', {
    kind: 'ConfigMap',
    metadata: meta('config'),
    data: { a: 'b' },
    binaryData: { c: 'AAH/' },
  }),
  namespaced('v1', 'secrets', { kind: 'Secret', metadata: meta('token'), stringData: { a: 'b' }, data: { c: 'AAH/' } }),
  namespaced('v1', 'pods', { kind: 'Pod', metadata: meta('web'), spec: podSpec }),
  namespaced('v1', 'services', {
    kind: 'Service',
    metadata: meta('web'),
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  }),
  cluster('v1', 'nodes', {
    kind: 'Node',
    metadata: meta('mac-0'),
    spec: { providerID: 'x://y', taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '8', memory: '16384Mi' } },
  }),
  namespaced('v1', 'persistentvolumeclaims', {
    kind: 'PersistentVolumeClaim',
    metadata: meta('disk'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
  }),
  namespaced('v1', 'events', {
    kind: 'Event',
    metadata: meta('web.1'),
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
    reason: 'Started',
    message: 'it started',
    type: 'Normal',
    count: 2,
    firstTimestamp: '2024-01-02T03:04:05Z',
    eventTime: '2024-01-02T03:04:05.000006Z',
    action: 'Start',
    reportingComponent: 'pippin',
    reportingInstance: 'one',
  }),
  namespaced('apps/v1', 'deployments', {
    kind: 'Deployment',
    metadata: meta('web'),
    spec: { replicas: 0, selector, template },
  }),
  namespaced('apps/v1', 'statefulsets', {
    kind: 'StatefulSet',
    metadata: meta('web'),
    spec: { serviceName: 'web', selector, template },
  }),
  namespaced('apps/v1', 'daemonsets', {
    kind: 'DaemonSet',
    metadata: meta('web'),
    spec: { selector, template, updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } },
  }),
  namespaced('batch/v1', 'jobs', {
    kind: 'Job',
    metadata: meta('job'),
    spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } }, suspend: true },
  }),
  namespaced('batch/v1', 'cronjobs', {
    kind: 'CronJob',
    metadata: meta('cron'),
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'OnFailure' } } } },
    },
  }),
  namespaced('coordination.k8s.io/v1', 'leases', {
    kind: 'Lease',
    metadata: meta('lock'),
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2024-01-02T03:04:05.123456Z' },
  }),
  namespaced('rbac.authorization.k8s.io/v1', 'roles', { kind: 'Role', metadata: meta('reader'), rules }),
  cluster('rbac.authorization.k8s.io/v1', 'clusterroles', { kind: 'ClusterRole', metadata: meta('reader'), rules }),
  namespaced('rbac.authorization.k8s.io/v1', 'rolebindings', {
    kind: 'RoleBinding',
    metadata: meta('reader'),
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
  }),
  namespaced('policy/v1', 'poddisruptionbudgets', {
    kind: 'PodDisruptionBudget',
    metadata: meta('web'),
    spec: { selector, minAvailable: '50%' },
  }),
  cluster('scheduling.k8s.io/v1', 'priorityclasses', {
    kind: 'PriorityClass',
    metadata: meta('high'),
    value: 1000,
    description: 'x',
  }),
  namespaced('networking.k8s.io/v1', 'networkpolicies', {
    kind: 'NetworkPolicy',
    metadata: meta('deny'),
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
  }),
  namespaced('networking.k8s.io/v1', 'ingresses', {
    kind: 'Ingress',
    metadata: meta('web'),
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  }),
  cluster('storage.k8s.io/v1', 'storageclasses', {
    kind: 'StorageClass',
    metadata: meta('disk'),
    provisioner: 'x.y/z',
  }),
  namespaced('autoscaling/v2', 'horizontalpodautoscalers', {
    kind: 'HorizontalPodAutoscaler',
    metadata: meta('web'),
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  }),
  namespaced('discovery.k8s.io/v1', 'endpointslices', {
    kind: 'EndpointSlice',
    metadata: meta('web'),
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 80 }],
  }),
  cluster('apiextensions.k8s.io/v1', 'customresourcedefinitions', {
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    size: { type: 'number', minimum: 0.5, default: 1 },
                    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                    more: { type: 'object', additionalProperties: true },
                    any: { 'x-kubernetes-preserve-unknown-fields': true },
                    port: { 'x-kubernetes-int-or-string': true },
                  },
                },
              },
            },
          },
        },
      ],
    },
  }),
];
