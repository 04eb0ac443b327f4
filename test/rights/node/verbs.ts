// What an agent with a node certificate may do, verb by verb (safe-18): the same table for the embedded API and a real one.

import type { JsonObject } from '../../../src/apiserver/parts.ts';
import { HOST_ID, VM_CLEANUP } from '../../../src/kinds/wire.ts';
import type { Asked } from './asking.ts';
import { IN_NS, LEASES, NODES, OTHER, OWN, REQUESTS } from './objects.ts';

/** One request, and the answer that it must get. The table is played from top to bottom. */
export interface Verb extends Omit<Asked, 'body'> {
  readonly says: string;
  readonly code: number;
  /** The administrator's word between the Node's. */
  readonly by?: 'admin';
  /** Read from what is there now, where it must be written whole. */
  readonly body?: JsonObject | ((current: Current) => unknown);
}

/** What is stored under the path, without its subresource, and the Pods that tokens are bound to. */
export interface Current {
  readonly object: JsonObject;
  readonly uidOf: Readonly<Record<string, string>>;
  readonly request: (commonName: string) => string;
}

const own = `${IN_NS}/pods/on-${OWN}`;
const other = `${IN_NS}/pods/on-${OTHER}`;
const read = (says: string, path: string, code: number, query?: string): Verb => ({
  says,
  method: 'GET',
  path,
  code,
  ...(query === undefined ? {} : { query }),
});
const write = (says: string, method: Verb['method'], path: string, what: Pick<Verb, 'code' | 'body'>): Verb => ({
  says,
  method,
  path,
  ...what,
});
const withMetadata =
  (change: object) =>
  ({ object }: Current): unknown => ({
    ...object,
    metadata: { ...(object.metadata as object), ...change },
  });
const stamped = withMetadata({ finalizers: [VM_CLEANUP], annotations: { [HOST_ID]: 'scw-applesilicon://fr-par-1/a' } });

const token =
  (pod: string, audience: string) =>
  ({ uidOf }: Current): unknown => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      audiences: [audience],
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod, uid: uidOf[pod] },
    },
  });
const tokensOf = (mac: string): string => `${IN_NS}/serviceaccounts/of-${mac}/token`;
const RUNNERS = 'tuist-runners-dispatch';

const signingRequest =
  (mac: string) =>
  ({ request }: Current): unknown => ({
    metadata: { name: `request-of-${mac}` },
    spec: {
      request: request(`system:node:${mac}`),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  });

const nodes: readonly Verb[] = [
  write('makes its own Node', 'POST', NODES, { code: 201, body: { metadata: { name: OWN } } }),
  write('does not make another Node', 'POST', NODES, { code: 403, body: { metadata: { name: 'mac-2' } } }),
  read('reads its own Node', `${NODES}/${OWN}`, 200),
  read('does not read another Node', `${NODES}/${OTHER}`, 403),
  read('does not list Nodes', NODES, 403),
  write('labels its own Node', 'PATCH', `${NODES}/${OWN}`, { code: 200, body: { metadata: { labels: { a: 'b' } } } }),
  write('does not label another Node', 'PATCH', `${NODES}/${OTHER}`, {
    code: 403,
    body: { metadata: { labels: { a: 'b' } } },
  }),
  write('does not take its own Node out of use', 'PATCH', `${NODES}/${OWN}`, {
    code: 403,
    body: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  }),
  write('reports on its own Node', 'PATCH', `${NODES}/${OWN}/status`, {
    code: 200,
    body: { status: { capacity: { pods: '2' } } },
  }),
  write('does not report on another Node', 'PATCH', `${NODES}/${OTHER}/status`, {
    code: 403,
    body: { status: { capacity: { pods: '2' } } },
  }),
  write('does not delete its own Node', 'DELETE', `${NODES}/${OWN}`, { code: 403 }),
  write('does not delete another Node', 'DELETE', `${NODES}/${OTHER}`, { code: 403 }),
];

const leases: readonly Verb[] = [
  read('finds no Lease of its own yet', `${LEASES}/${OWN}`, 404),
  write('makes its own Lease', 'POST', LEASES, { code: 201, body: { metadata: { name: OWN } } }),
  write('renews its own Lease', 'PUT', `${LEASES}/${OWN}`, { code: 200, body: ({ object }: Current) => object }),
  read('reads its own Lease', `${LEASES}/${OWN}`, 200),
  read('does not read another Lease', `${LEASES}/${OTHER}`, 403),
  read('does not list Leases', LEASES, 403),
  write('does not make another Lease', 'POST', LEASES, { code: 403, body: { metadata: { name: 'mac-2' } } }),
  write('does not renew another Lease', 'PUT', `${LEASES}/${OTHER}`, {
    code: 403,
    body: ({ object }: Current) => object,
  }),
  write('does not delete another Lease', 'DELETE', `${LEASES}/${OTHER}`, { code: 403 }),
];

const pods: readonly Verb[] = [
  read('lists its own Pods', '/api/v1/pods', 200, `fieldSelector=spec.nodeName%3D${OWN}`),
  read('watches its own Pods', '/api/v1/pods', 200, `watch=true&fieldSelector=spec.nodeName%3D${OWN}`),
  read('reads its own Pod', own, 200),
  read('does not list the Pods of another Node', '/api/v1/pods', 403, `fieldSelector=spec.nodeName%3D${OTHER}`),
  read('does not list all Pods', '/api/v1/pods', 403),
  read('does not watch all Pods', '/api/v1/pods', 403, 'watch=true'),
  read('does not read the Pod of another Node', other, 403),
  write('makes no Pod', 'POST', `${IN_NS}/pods`, {
    code: 403,
    body: { metadata: { name: 'x' }, spec: { nodeName: OWN, containers: [{ name: 'vm', image: 'x' }] } },
  }),
  write('does not write its own Pod itself', 'PATCH', own, {
    code: 403,
    body: { metadata: { finalizers: [VM_CLEANUP] } },
  }),
  write('holds and stamps its own Pod through its status', 'PUT', `${own}/status`, { code: 200, body: stamped }),
  write('reports on its own Pod', 'PATCH', `${own}/status`, { code: 200, body: { status: { phase: 'Running' } } }),
  write('does not label its own Pod through its status', 'PATCH', `${own}/status`, {
    code: 403,
    body: { metadata: { labels: { a: 'b' } } },
  }),
  write('does not hold the Pod of another Node', 'PUT', `${other}/status`, { code: 403, body: stamped }),
  write('does not report on the Pod of another Node', 'PATCH', `${other}/status`, {
    code: 403,
    body: { status: { phase: 'Failed' } },
  }),
  write('does not delete the Pod of another Node', 'DELETE', other, { code: 403 }),
  write('does not evict the Pod of another Node', 'POST', `${other}/eviction`, {
    code: 403,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: `on-${OTHER}` } },
  }),
];

const named: readonly Verb[] = ['secrets', 'configmaps'].flatMap(plural => [
  read(`reads what its own Pod names: ${plural}`, `${IN_NS}/${plural}/of-${OWN}`, 200),
  read(`does not read what the Pod of another Node names: ${plural}`, `${IN_NS}/${plural}/of-${OTHER}`, 403),
  read(`does not list ${plural}`, `${IN_NS}/${plural}`, 403),
  write(`does not change what its own Pod names: ${plural}`, 'PATCH', `${IN_NS}/${plural}/of-${OWN}`, {
    code: 403,
    body: { data: null },
  }),
  write(`makes no ${plural}`, 'POST', `${IN_NS}/${plural}`, { code: 403, body: { metadata: { name: 'x' } } }),
]);

const identities: readonly Verb[] = [
  read('does not read a Secret that no Pod names', `${IN_NS}/secrets/unnamed`, 403),
  write('gets a token of the account of its own Pod, for the runners', 'POST', tokensOf(OWN), {
    code: 201,
    body: token(`on-${OWN}`, RUNNERS),
  }),
  write('gets no token for an audience that neither Pod nor role names', 'POST', tokensOf(OWN), {
    code: 403,
    body: token(`on-${OWN}`, 'somebody'),
  }),
  write('gets no token that is bound to the Pod of another Node', 'POST', tokensOf(OWN), {
    code: 403,
    body: token(`on-${OTHER}`, RUNNERS),
  }),
  write('gets no token of an account that only the Pod of another Node has', 'POST', tokensOf(OTHER), {
    code: 403,
    body: token(`on-${OTHER}`, RUNNERS),
  }),
  write('asks for a certificate in its own name', 'POST', REQUESTS, { code: 201, body: signingRequest(OWN) }),
  read('reads its request', `${REQUESTS}/request-of-${OWN}`, 200),
  write('does not ask for a certificate in the name of another Node', 'POST', REQUESTS, {
    code: 403,
    body: signingRequest(OTHER),
  }),
  write('does not approve its own request', 'PATCH', `${REQUESTS}/request-of-${OWN}/approval`, {
    code: 403,
    body: { status: { conditions: [{ type: 'Approved', status: 'True' }] } },
  }),
  write('gives itself no rights', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    code: 403,
    body: {
      metadata: { name: 'x' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    },
  }),
  read('does not look at machines', '/apis/infrastructure.cluster.x-k8s.io/v1alpha1/scalewayapplesiliconmachines', 403),
];

const endOfPod: readonly Verb[] = [
  { ...write('(its own Pod is deleted, and held by its finalizer)', 'DELETE', own, { code: 200 }), by: 'admin' },
  write('ends the grace of its own Pod', 'DELETE', own, { code: 200, body: { gracePeriodSeconds: 0 } }),
  { ...read('(it is still there)', own, 200), by: 'admin' },
  write('takes the last finalizer off through its status', 'PUT', `${own}/status`, {
    code: 200,
    body: withMetadata({ finalizers: [] }),
  }),
  { ...read('(and with it the Pod is gone)', own, 404), by: 'admin' },
  write('says what happened, as an event', 'POST', `${IN_NS}/events`, {
    code: 201,
    body: {
      metadata: { name: 'on-mac-0.1' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: `on-${OWN}`, namespace: 'macs' },
      reason: 'Ended',
      type: 'Normal',
    },
  }),
  read('no longer reads what only that Pod named', `${IN_NS}/secrets/of-${OWN}`, 403),
];

export const verbs: readonly Verb[] = [...nodes, ...leases, ...pods, ...named, ...identities, ...endOfPod];
