// One object of each kind that people look at in a Table and no other group makes.

interface Kind {
  readonly kind: string;
  readonly api: string;
  readonly plural: string;
  readonly body: object;
  readonly clusterWide?: true;
  /** Written to its status once it is there. */
  readonly status?: object;
}

const core = '/api/v1';
const storage = '/apis/storage.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const devices = '/apis/resource.k8s.io/v1';
const selector = { matchLabels: { app: 'a' } };
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const nowhere = { matchLabels: { 'kubernetes.io/metadata.name': 'nowhere' } };
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/' },
  rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nothings'] }],
  namespaceSelector: nowhere,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

export const MORE_KINDS: readonly Kind[] = [
  {
    kind: 'Endpoints',
    api: core,
    plural: 'endpoints',
    body: {
      subsets: [
        {
          addresses: [{ ip: '10.1.1.1' }, { ip: '10.1.1.2' }],
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81 },
          ],
        },
      ],
    },
  },
  {
    kind: 'PersistentVolume',
    api: core,
    plural: 'persistentvolumes',
    clusterWide: true,
    body: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        csi: { driver: 'a.example.com', volumeHandle: 'h' },
        storageClassName: 'slow',
        claimRef: { namespace: 'n', name: 'c' },
        volumeAttributesClassName: 'gold',
      },
    },
    status: { phase: 'Released', reason: 'Why' },
  },
  {
    kind: 'PersistentVolumeClaim',
    api: core,
    plural: 'persistentvolumeclaims',
    body: {
      spec: {
        accessModes: ['ReadWriteOncePod'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'slow',
        volumeName: 'v',
      },
    },
    status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'] },
  },
  { kind: 'PodTemplate', api: core, plural: 'podtemplates', body: { template } },
  {
    kind: 'ReplicationController',
    api: core,
    plural: 'replicationcontrollers',
    body: { spec: { replicas: 3, selector: { app: 'a' }, template } },
    status: { replicas: 2, readyReplicas: 1 },
  },
  {
    kind: 'ReplicaSet',
    api: '/apis/apps/v1',
    plural: 'replicasets',
    body: { spec: { replicas: 3, selector, template } },
    status: { replicas: 2, readyReplicas: 1 },
  },
  {
    kind: 'Node',
    api: core,
    plural: 'nodes',
    clusterWide: true,
    body: {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'mac' } },
      spec: { unschedulable: true },
    },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [
        { type: 'InternalIP', address: '10.1.1.1' },
        { type: 'ExternalIP', address: '10.2.2.2' },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.36.0',
        osImage: 'macOS',
        kernelVersion: '25',
        containerRuntimeVersion: 'tart://1',
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: '',
        architecture: '',
      },
    },
  },
  {
    kind: 'ClusterRoleBinding',
    api: '/apis/rbac.authorization.k8s.io/v1',
    plural: 'clusterrolebindings',
    clusterWide: true,
    body: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'none' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' },
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
  },
  {
    kind: 'RuntimeClass',
    api: '/apis/node.k8s.io/v1',
    plural: 'runtimeclasses',
    clusterWide: true,
    body: { handler: 'own' },
  },
  {
    kind: 'MutatingWebhookConfiguration',
    api: admission,
    plural: 'mutatingwebhookconfigurations',
    clusterWide: true,
    body: { webhooks: [webhook, { ...webhook, name: 'b.example.com' }] },
  },
  {
    kind: 'ValidatingWebhookConfiguration',
    api: admission,
    plural: 'validatingwebhookconfigurations',
    clusterWide: true,
    body: { webhooks: [webhook] },
  },
  {
    kind: 'ValidatingAdmissionPolicyBinding',
    api: admission,
    plural: 'validatingadmissionpolicybindings',
    clusterWide: true,
    body: {
      spec: {
        policyName: 'none',
        paramRef: { name: 'p', namespace: 'n', parameterNotFoundAction: 'Allow' },
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: nowhere },
      },
    },
  },
  {
    kind: 'MutatingAdmissionPolicyBinding',
    api: admission,
    plural: 'mutatingadmissionpolicybindings',
    clusterWide: true,
    body: { spec: { policyName: 'none', matchResources: { namespaceSelector: nowhere } } },
  },
  {
    kind: 'MutatingAdmissionPolicy',
    api: admission,
    plural: 'mutatingadmissionpolicies',
    clusterWide: true,
    body: {
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: webhook.rules, namespaceSelector: nowhere },
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/metadata/labels/a"}]' },
          },
        ],
      },
    },
  },
  {
    kind: 'IngressClass',
    api: '/apis/networking.k8s.io/v1',
    plural: 'ingressclasses',
    clusterWide: true,
    body: { spec: { controller: 'example.com/own', parameters: { kind: 'Own', name: 'a' } } },
  },
  {
    kind: 'CSIDriver',
    api: storage,
    plural: 'csidrivers',
    clusterWide: true,
    body: { spec: { attachRequired: false, podInfoOnMount: true, tokenRequests: [{ audience: 'a' }] } },
  },
  {
    kind: 'CSINode',
    api: storage,
    plural: 'csinodes',
    clusterWide: true,
    body: { spec: { drivers: [{ name: 'a.example.com', nodeID: 'n', topologyKeys: null }] } },
  },
  {
    kind: 'CSIStorageCapacity',
    api: storage,
    plural: 'csistoragecapacities',
    body: { storageClassName: 'slow', capacity: '1Gi' },
  },
  {
    kind: 'VolumeAttachment',
    api: storage,
    plural: 'volumeattachments',
    clusterWide: true,
    body: { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    status: { attached: true },
  },
  {
    kind: 'VolumeAttributesClass',
    api: storage,
    plural: 'volumeattributesclasses',
    clusterWide: true,
    body: { driverName: 'a.example.com', parameters: { a: 'b' } },
  },
  {
    kind: 'DeviceClass',
    api: devices,
    plural: 'deviceclasses',
    clusterWide: true,
    body: { spec: { selectors: [{ cel: { expression: 'true' } }] } },
  },
  {
    kind: 'ResourceClaim',
    api: devices,
    plural: 'resourceclaims',
    body: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
  },
  {
    kind: 'ResourceClaimTemplate',
    api: devices,
    plural: 'resourceclaimtemplates',
    body: { spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } } },
  },
  {
    kind: 'ResourceSlice',
    api: devices,
    plural: 'resourceslices',
    clusterWide: true,
    body: {
      spec: {
        driver: 'a.example.com',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd' }],
      },
    },
  },
  {
    kind: 'PriorityLevelConfiguration',
    api: '/apis/flowcontrol.apiserver.k8s.io/v1',
    plural: 'prioritylevelconfigurations',
    clusterWide: true,
    body: {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 1,
          limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 5 } },
        },
      },
    },
  },
  {
    kind: 'IPAddress',
    api: '/apis/networking.k8s.io/v1',
    plural: 'ipaddresses',
    clusterWide: true,
    body: {
      metadata: { name: '192.168.77.7' },
      spec: { parentRef: { group: '', resource: 'services', namespace: 'n', name: 's' } },
    },
  },
  {
    kind: 'ResourceSlice for all Nodes',
    api: devices,
    plural: 'resourceslices',
    clusterWide: true,
    body: {
      spec: {
        driver: 'b.example.com',
        allNodes: true,
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd' }],
      },
    },
  },
  {
    kind: 'CSIDriver that says little',
    api: storage,
    plural: 'csidrivers',
    clusterWide: true,
    body: { spec: { volumeLifecycleModes: ['Ephemeral', 'Persistent'], storageCapacity: true } },
  },
  {
    kind: 'ValidatingAdmissionPolicyBinding by a selector',
    api: admission,
    plural: 'validatingadmissionpolicybindings',
    clusterWide: true,
    body: {
      spec: {
        policyName: 'none',
        paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
        validationActions: ['Warn'],
        matchResources: { namespaceSelector: nowhere },
      },
    },
  },
  {
    kind: 'MutatingAdmissionPolicyBinding in each Namespace',
    api: admission,
    plural: 'mutatingadmissionpolicybindings',
    clusterWide: true,
    body: {
      spec: {
        policyName: 'none',
        paramRef: { name: 'p', parameterNotFoundAction: 'Deny' },
        matchResources: { namespaceSelector: nowhere },
      },
    },
  },
  {
    kind: 'PriorityLevelConfiguration that rejects',
    api: '/apis/flowcontrol.apiserver.k8s.io/v1',
    plural: 'prioritylevelconfigurations',
    clusterWide: true,
    body: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  },
  {
    kind: 'ResourceQuota that is counted',
    api: core,
    plural: 'resourcequotas',
    body: { spec: { hard: { pods: '3', 'limits.cpu': '2', 'requests.cpu': '1', 'limits.memory': '1Gi' } } },
    status: { hard: { pods: '3', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '1', 'limits.cpu': '500m' } },
  },
  {
    kind: 'Endpoints of many',
    api: core,
    plural: 'endpoints',
    body: {
      subsets: [
        {
          addresses: ['1', '2', '3', '4', '5'].map(last => ({ ip: `10.1.1.${last}` })),
          ports: [{ port: 80 }],
        },
      ],
    },
  },
];
