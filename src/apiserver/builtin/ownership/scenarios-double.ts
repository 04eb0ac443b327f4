// Sequences of writes by several owners: what ours makes of them is held against the real server in test/kube, and
// against what is written here in the unit test.

import type { JsonObject } from '../../parts.ts';

export interface Write {
  readonly by: string;
  readonly how: 'create' | 'apply' | 'force' | 'merge' | 'status' | 'apply status';
  readonly body: JsonObject;
}

export interface Scenario {
  readonly says: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** In namespace `default` unless told otherwise. */
  readonly cluster?: true;
  /** The CRD of a custom kind. */
  readonly definition?: JsonObject;
  readonly writes: readonly Write[];
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments' };
const service = { apiVersion: 'v1', kind: 'Service', plural: 'services' };
const node = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', cluster: true } as const;
const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 3 },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        names: { type: 'array', items: { type: 'string' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        fixed: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
        port: { 'x-kubernetes-int-or-string': true },
        disks: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'bus'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              bus: { type: 'string', default: 'nvme' },
              gib: { type: 'integer' },
            },
          },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};
const machine = {
  apiVersion: 'example.com/v1',
  kind: 'Machine',
  plural: 'machines',
  definition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'machines.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'machines', kind: 'Machine' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      ],
    },
  },
};
const labels = { app: 'web' };
const container = (name: string, image: string, more: JsonObject = {}): JsonObject => ({ name, image, ...more });
const podTemplate = (...containers: readonly JsonObject[]): JsonObject => ({
  metadata: { labels },
  spec: { containers: [...containers] },
});
const workload = (more: JsonObject, ...containers: readonly JsonObject[]): JsonObject => ({
  spec: { selector: { matchLabels: labels }, template: podTemplate(...containers), ...more },
});

export const scenarios: readonly Scenario[] = [
  {
    says: 'an applier owns what it states, and what it states no more goes',
    ...configMap,
    writes: [
      { by: 'ann', how: 'apply', body: { metadata: { labels }, data: { a: '1', b: '2' } } },
      { by: 'ann', how: 'apply', body: { data: { b: '3' } } },
      { by: 'ann', how: 'apply', body: { data: { b: '3' } } },
    ],
  },
  {
    says: 'two appliers conflict over a value, share an equal one, and force takes it',
    ...configMap,
    writes: [
      { by: 'ann', how: 'apply', body: { data: { a: '1', b: '2' } } },
      { by: 'bob', how: 'apply', body: { data: { a: '1', c: '3' } } },
      { by: 'bob', how: 'apply', body: { data: { a: '9', b: '8', c: '3' } } },
      { by: 'bob', how: 'force', body: { data: { a: '9', b: '8', c: '3' } } },
      { by: 'ann', how: 'apply', body: { data: {} } },
      { by: 'bob', how: 'apply', body: { data: { a: '9' } } },
    ],
  },
  {
    says: 'an updater takes what it changes, and what nobody stated stays',
    ...configMap,
    writes: [
      { by: 'kubectl-create', how: 'create', body: { metadata: { labels, finalizers: ['x/y'] }, data: { a: '1' } } },
      { by: 'ann', how: 'apply', body: { data: { a: '1', b: '2' } } },
      { by: 'eve', how: 'merge', body: { data: { b: '5', c: '6' } } },
      { by: 'ann', how: 'apply', body: { data: { a: '1' } } },
      { by: 'ann', how: 'apply', body: { data: { b: '7' } } },
      { by: 'eve', how: 'merge', body: { data: null, metadata: { finalizers: [] } } },
    ],
  },
  {
    says: 'finalizers are a set and owner references a map, each owned item by item',
    ...configMap,
    writes: [
      { by: 'ann', how: 'apply', body: { metadata: { finalizers: ['a/a', 'b/b'] } } },
      { by: 'bob', how: 'apply', body: { metadata: { finalizers: ['b/b', 'c/c'] } } },
      {
        by: 'bob',
        how: 'apply',
        body: { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u-1' }] } },
      },
      { by: 'ann', how: 'apply', body: { metadata: { finalizers: [] } } },
    ],
  },
  {
    says: "containers are owned by name; defaults are nobody's who applies and the creator's who creates",
    ...deployment,
    writes: [
      {
        by: 'ann',
        how: 'apply',
        body: workload({ replicas: 2 }, container('a', 'a:1', { env: [{ name: 'X', value: '1' }] })),
      },
      { by: 'hpa', how: 'merge', body: { spec: { replicas: 5 } } },
      { by: 'ann', how: 'apply', body: workload({ replicas: 2 }, container('a', 'a:2')) },
      { by: 'ann', how: 'apply', body: workload({}, container('a', 'a:2'), container('b', 'b:1')) },
      {
        by: 'bob',
        how: 'apply',
        body: {
          spec: {
            template: {
              spec: {
                containers: [container('c', 'c:1'), { name: 'a', image: 'a:2', ports: [{ containerPort: 80 }] }],
              },
            },
          },
        },
      },
      { by: 'ann', how: 'apply', body: workload({}, container('b', 'b:1'), container('a', 'a:2')) },
      { by: 'ann', how: 'apply', body: workload({}, container('b', 'b:1')) },
    ],
  },
  {
    says: "what a creator sent is an updater's, whole lists and maps included",
    ...deployment,
    writes: [
      {
        by: 'kubectl-create',
        how: 'create',
        body: {
          metadata: { labels, annotations: { a: 'b' } },
          ...workload(
            { strategy: { type: 'Recreate' } },
            container('a', 'a:1', { ports: [{ containerPort: 80 }], args: ['x'] }),
          ),
        },
      },
      { by: 'ann', how: 'apply', body: workload({ replicas: 3 }, container('a', 'a:2', { args: ['y'] })) },
      { by: 'ann', how: 'force', body: workload({ replicas: 3 }, container('a', 'a:2', { args: ['y'] })) },
      { by: 'eve', how: 'merge', body: { metadata: { labels: { app: null } } } },
    ],
  },
  {
    says: 'a port without a protocol is the TCP port of that number',
    ...service,
    writes: [
      { by: 'ann', how: 'apply', body: { spec: { selector: labels, ports: [{ name: 'a', port: 80 }] } } },
      {
        by: 'bob',
        how: 'apply',
        body: { spec: { ports: [{ name: 'a', port: 80, protocol: 'TCP', targetPort: 8080 }] } },
      },
      {
        by: 'ann',
        how: 'apply',
        body: {
          spec: {
            selector: { app: 'x' },
            ports: [
              { name: 'a', port: 80 },
              { name: 'b', port: 81 },
            ],
          },
        },
      },
      { by: 'ann', how: 'apply', body: { spec: { ports: [{ name: 'b', port: 81 }] } } },
    ],
  },
  {
    says: "the status endpoint owns the status, the object's owns the rest",
    ...node,
    writes: [
      { by: 'kubelet', how: 'create', body: { metadata: { labels }, spec: { providerID: 'x://y' } } },
      {
        by: 'kubelet',
        how: 'status',
        body: { status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] } },
      },
      {
        by: 'ann',
        how: 'apply status',
        body: {
          metadata: { labels: { app: 'web', b: 'c' } },
          status: { conditions: [{ type: 'Nice', status: 'True' }] },
        },
      },
      { by: 'ann', how: 'apply', body: { spec: { unschedulable: true } } },
      { by: 'kubelet', how: 'status', body: { status: { conditions: [{ type: 'Ready', status: 'False' }] } } },
    ],
  },
  {
    says: 'fields that no schema knows and items stated twice cannot be applied',
    ...deployment,
    writes: [
      { by: 'ann', how: 'apply', body: workload({ colour: 'red' }, container('a', 'a:1')) },
      { by: 'ann', how: 'apply', body: workload({}, container('a', 'a:1'), container('a', 'a:2')) },
    ],
  },
  {
    says: 'custom resources are owned as their CRD says',
    ...machine,
    writes: [
      {
        by: 'ann',
        how: 'apply',
        body: {
          metadata: { labels, finalizers: ['a/a'] },
          spec: {
            tags: ['x', 'y'],
            names: ['a'],
            free: { a: { b: [1], c: 'd' } },
            fixed: { a: 'b' },
            port: 'http',
            disks: [{ name: 'one', gib: 1 }, { name: 'two' }],
          },
        },
      },
      {
        by: 'bob',
        how: 'apply',
        body: {
          spec: {
            tags: ['z', 'y'],
            free: { a: { c: 'd', e: 1 } },
            disks: [{ name: 'three' }, { name: 'one', bus: 'nvme', gib: 1 }],
          },
        },
      },
      { by: 'bob', how: 'apply', body: { spec: { fixed: { c: 'd' }, names: ['b'], port: 80 } } },
      { by: 'eve', how: 'merge', body: { spec: { size: 5, free: { a: null, z: 1 } } } },
      { by: 'ann', how: 'apply', body: { spec: { tags: ['y'], disks: [{ name: 'two', gib: 2 }] } } },
      { by: 'kubelet', how: 'status', body: { metadata: { labels: { no: 'way' } }, status: { phase: 'Up' } } },
      { by: 'kubelet', how: 'apply status', body: { metadata: { labels: { no: 'way' } }, status: { phase: 'Down' } } },
      { by: 'ann', how: 'apply', body: { spec: { colour: 'red' } } },
      { by: 'ann', how: 'apply', body: { spec: { tags: ['a', 'a'] } } },
      { by: 'ann', how: 'apply', body: {} },
    ],
  },
  {
    says: 'what a creator of a custom resource sent is its own, whole objects included',
    ...machine,
    writes: [
      {
        by: 'maker',
        how: 'create',
        body: { metadata: { labels }, spec: { tags: ['x'], free: {}, disks: [{ name: 'a' }] } },
      },
      { by: 'ann', how: 'apply', body: { spec: { size: 4, disks: [{ name: 'a', gib: 3 }] } } },
      { by: 'ann', how: 'force', body: { spec: { size: 4, disks: [{ name: 'a', gib: 3 }] } } },
    ],
  },
];
