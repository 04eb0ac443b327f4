// Sequences of writes by several owners: what ours makes of them is held against the real server in test/kube, and
// against what is written here in the unit test.

import type { JsonObject } from '../../parts.ts';
import { customScenarios } from './custom-scenarios-double.ts';
import type { Scenario } from './scenario-double.ts';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments' };
const service = { apiVersion: 'v1', kind: 'Service', plural: 'services' };
const node = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', cluster: true } as const;
const labels = { app: 'web' };
const container = (name: string, image: string, more: JsonObject = {}): JsonObject => ({ name, image, ...more });
const podTemplate = (...containers: readonly JsonObject[]): JsonObject => ({
  metadata: { labels },
  spec: { containers: [...containers] },
});
const workload = (more: JsonObject, ...containers: readonly JsonObject[]): JsonObject => ({
  spec: { selector: { matchLabels: labels }, template: podTemplate(...containers), ...more },
});

/** As client-side apply sends it: with what it applies in an annotation. */
function clientSide(data: JsonObject): JsonObject {
  const applied = { apiVersion: 'v1', data, kind: 'ConfigMap', metadata: { annotations: {}, namespace: 'default' } };
  const note = `${JSON.stringify(applied)}\n`;
  return { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': note } }, data };
}

export const scenarios: readonly Scenario[] = [
  {
    says: 'an applier owns what it states, and what it states no more goes',
    ...configMap,
    writes: [
      { by: 'ann', how: 'apply', body: { metadata: { labels }, data: { a: '1', b: '2' } } },
      { by: 'ann', how: 'apply', body: { data: { b: '3' } } },
      { by: 'ann', how: 'apply', body: { data: { b: '3' } } },
      { by: 'bob', how: 'apply', body: { data: { b: '3' } } },
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
    says: 'kubectl takes over what it applied client-side and nobody changed, and keeps its annotation true',
    ...configMap,
    writes: [
      { by: 'kubectl-client-side-apply', how: 'create', body: clientSide({ a: '1', b: '2', c: '3' }) },
      { by: 'eve', how: 'merge', body: { data: { b: '9' } } },
      { by: 'kubectl', how: 'apply', body: { data: { a: '5', b: '2' } } },
      { by: 'kubectl', how: 'apply', body: { metadata: { labels }, data: { a: '5' } } },
      { by: 'ann', how: 'apply', body: { data: { c: '5' } } },
    ],
  },
  ...customScenarios,
];
