// One object of each built-in kind, with as many sorts of fields as it has: numbers, quantities, maps, times, unions.

interface Body {
  readonly metadata?: { readonly name?: string; readonly labels?: object; readonly annotations?: object };
  readonly [field: string]: unknown;
}

interface Kind {
  readonly kind: string;
  readonly api: string;
  readonly plural: string;
  readonly body: Body;
  readonly clusterWide?: true;
}

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { app: 'a' } };
const pod = {
  automountServiceAccountToken: false,
  hostAliases: [{ ip: '10.9.9.9', hostnames: ['h'] }],
  nodeSelector: { zone: 'z' },
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: { topologyKey: 't', labelSelector: selector } },
      ],
    },
  },
  securityContext: { runAsUser: 1000, fsGroup: 2000, sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] },
  volumes: [
    { name: 'v', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'p', projected: { sources: [{ configMap: { name: 'm', items: [{ key: 'a', path: 'b', mode: 256 }] } }] } },
    { name: 's', secret: { secretName: 'x', defaultMode: 420, optional: true } },
  ],
  containers: [
    {
      name: 'main',
      image: 'example.com/main:1',
      command: ['run'],
      args: ['--fast', ''],
      ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }],
      env: [
        { name: 'A', value: 'ä€' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { cpu: '1', 'example.com/gpu': '2' } },
      volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }],
      livenessProbe: { httpGet: { path: '/', port: 'web' }, periodSeconds: 5 },
      readinessProbe: { tcpSocket: { port: 80 } },
      lifecycle: { preStop: { exec: { command: ['stop'] } } },
      securityContext: { capabilities: { drop: ['ALL'] }, privileged: false },
    },
  ],
};

const core = '/api/v1';
const apps = '/apis/apps/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

export const KINDS: readonly Kind[] = [
  { kind: 'Pod', api: core, plural: 'pods', body: { metadata: { annotations: { note: 'é' } }, spec: pod } },
  {
    kind: 'ConfigMap',
    api: core,
    plural: 'configmaps',
    body: { data: { b: '2', a: '', 'c.d': 'line\nline' }, binaryData: { raw: '/wAB' }, immutable: true },
  },
  { kind: 'Secret', api: core, plural: 'secrets', body: { type: 'example.com/own', data: { key: 'AAECAw==' } } },
  {
    kind: 'Service',
    api: core,
    plural: 'services',
    body: {
      spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ name: 'web', port: 80, targetPort: 'web' }] },
    },
  },
  {
    kind: 'Event',
    api: core,
    plural: 'events',
    body: {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      message: 'It started',
      type: 'Normal',
      count: 3,
      source: { component: 'me', host: 'h' },
    },
  },
  {
    kind: 'ServiceAccount',
    api: core,
    plural: 'serviceaccounts',
    body: { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'i' }], automountServiceAccountToken: false },
  },
  {
    kind: 'ResourceQuota',
    api: core,
    plural: 'resourcequotas',
    body: { spec: { hard: { pods: '10', cpu: '1500m' } } },
  },
  {
    kind: 'LimitRange',
    api: core,
    plural: 'limitranges',
    body: { spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { memory: '1Gi' } }] } },
  },
  {
    kind: 'Deployment',
    api: apps,
    plural: 'deployments',
    body: {
      spec: { replicas: 0, selector, template, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } },
    },
  },
  {
    kind: 'StatefulSet',
    api: apps,
    plural: 'statefulsets',
    body: { spec: { serviceName: 's', selector, template, updateStrategy: { rollingUpdate: { partition: 2 } } } },
  },
  { kind: 'DaemonSet', api: apps, plural: 'daemonsets', body: { spec: { selector, template, minReadySeconds: 3 } } },
  {
    kind: 'ControllerRevision',
    api: apps,
    plural: 'controllerrevisions',
    body: { revision: 7, data: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } } },
  },
  {
    kind: 'Job',
    api: '/apis/batch/v1',
    plural: 'jobs',
    body: { spec: { suspend: true, template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  },
  {
    kind: 'CronJob',
    api: '/apis/batch/v1',
    plural: 'cronjobs',
    body: {
      spec: {
        schedule: '0 3 * * *',
        suspend: true,
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
  },
  {
    kind: 'Lease',
    api: '/apis/coordination.k8s.io/v1',
    plural: 'leases',
    body: { spec: { holderIdentity: 'me', leaseDurationSeconds: 40, renewTime: '2026-01-02T03:04:05.678901Z' } },
  },
  {
    kind: 'Role',
    api: rbac,
    plural: 'roles',
    body: { rules: [{ apiGroups: [''], resources: ['pods'], resourceNames: ['p'], verbs: ['get', 'list'] }] },
  },
  {
    kind: 'RoleBinding',
    api: rbac,
    plural: 'rolebindings',
    body: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'ServiceAccount', name: 's', namespace: 'default' },
        { kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' },
      ],
    },
  },
  {
    kind: 'ClusterRole',
    api: rbac,
    plural: 'clusterroles',
    clusterWide: true,
    body: { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
  },
  {
    kind: 'PodDisruptionBudget',
    api: '/apis/policy/v1',
    plural: 'poddisruptionbudgets',
    body: {
      spec: { minAvailable: '50%', selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] } },
    },
  },
  {
    kind: 'NetworkPolicy',
    api: '/apis/networking.k8s.io/v1',
    plural: 'networkpolicies',
    body: {
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }], from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] },
    },
  },
  {
    kind: 'Ingress',
    api: '/apis/networking.k8s.io/v1',
    plural: 'ingresses',
    body: {
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  },
  {
    kind: 'HorizontalPodAutoscaler',
    api: '/apis/autoscaling/v2',
    plural: 'horizontalpodautoscalers',
    body: {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
      },
    },
  },
  {
    kind: 'StorageClass',
    api: '/apis/storage.k8s.io/v1',
    plural: 'storageclasses',
    clusterWide: true,
    body: { provisioner: 'd.example.com', parameters: { type: 'fast' }, volumeBindingMode: 'WaitForFirstConsumer' },
  },
  {
    kind: 'PriorityClass',
    api: '/apis/scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    clusterWide: true,
    body: { value: -5, description: 'low', preemptionPolicy: 'Never' },
  },
  {
    kind: 'EndpointSlice',
    api: '/apis/discovery.k8s.io/v1',
    plural: 'endpointslices',
    body: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.1.1'], conditions: { ready: false }, nodeName: 'n' }],
      ports: [{ name: 'web', port: 80 }],
    },
  },
  {
    kind: 'ValidatingAdmissionPolicy',
    api: '/apis/admissionregistration.k8s.io/v1',
    plural: 'validatingadmissionpolicies',
    clusterWide: true,
    body: {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['x.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['xs'] },
          ],
        },
        validations: [{ expression: 'true', message: 'never' }],
      },
    },
  },
];
