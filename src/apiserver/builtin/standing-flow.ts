// The flow schemas and priority levels that every cluster begins with. What is in flight is bounded here without them:
// they are there for who lists them, or hangs a schema of their own on a level.

import type { JsonObject } from '../parts.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io/v1';
/** The server may bring the spec up to date until a person says that it shall not. */
const KEPT = { 'apf.kubernetes.io/autoupdate-spec': 'true' };

interface Queues {
  readonly queues: number;
  readonly handSize: number;
}

function limited(name: string, shares: number, lendable: number, queues?: Queues): JsonObject {
  const queuing = queues === undefined ? {} : { queuing: { ...queues, queueLengthLimit: 50 } };
  return level(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: queues === undefined ? 'Reject' : 'Queue', ...queuing },
      lendablePercent: lendable,
    },
  });
}

const level = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: GROUP,
  kind: 'PriorityLevelConfiguration',
  metadata: { name, annotations: KEPT },
  spec,
  status: {},
});

const LEVELS: readonly JsonObject[] = [
  level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
  limited('catch-all', 5, 0),
  limited('system', 30, 33, { queues: 64, handSize: 6 }),
  limited('node-high', 40, 25, { queues: 64, handSize: 6 }),
  limited('leader-election', 10, 0, { queues: 16, handSize: 4 }),
  limited('workload-high', 40, 50, { queues: 128, handSize: 6 }),
  limited('workload-low', 100, 90, { queues: 128, handSize: 6 }),
  limited('global-default', 20, 50, { queues: 128, handSize: 6 }),
];

const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const SYSTEM_ACCOUNTS: JsonObject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
};
const EVERYBODY = [group('system:unauthenticated'), group('system:authenticated')];
const CONTROLLERS = user('system:kube-controller-manager');
const SCHEDULER = user('system:kube-scheduler');
const ALL = ['*'];
const ANY_RESOURCE = { verbs: ALL, apiGroups: ALL, resources: ALL, clusterScope: true, namespaces: ALL };
const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ALL };

const whatever = (...subjects: readonly JsonObject[]): JsonObject => ({
  subjects,
  resourceRules: [ANY_RESOURCE],
  nonResourceRules: [{ verbs: ALL, nonResourceURLs: ALL }],
});

interface Flow {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly rule: JsonObject;
}

const schema = (name: string, flow: Flow): JsonObject => ({
  apiVersion: GROUP,
  kind: 'FlowSchema',
  metadata: { name, annotations: KEPT },
  spec: {
    priorityLevelConfiguration: { name: flow.level },
    matchingPrecedence: flow.precedence,
    ...(flow.by === undefined ? {} : { distinguisherMethod: { type: flow.by } }),
    rules: [flow.rule],
  },
  status: {
    conditions: [
      {
        type: 'Dangling',
        status: 'False',
        reason: 'Found',
        message: `This FlowSchema references the PriorityLevelConfiguration object named "${flow.level}" and it exists`,
      },
    ],
  },
});

const PROBES = { verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] };
const ELECTION = { verbs: ['get', 'create', 'update'], ...LEASES };
const OWN_NODE = {
  verbs: ALL,
  apiGroups: [''],
  resources: ['nodes', 'nodes/status'],
  clusterScope: true,
  namespaces: ALL,
};
const NODES = group('system:nodes');

const FLOWS: Readonly<Record<string, Flow>> = {
  exempt: { level: 'exempt', precedence: 1, rule: whatever(group('system:masters')) },
  probes: { level: 'exempt', precedence: 2, rule: { subjects: EVERYBODY, nonResourceRules: [PROBES] } },
  'system-leader-election': {
    level: 'leader-election',
    precedence: 100,
    by: 'ByUser',
    rule: { subjects: [CONTROLLERS, SCHEDULER, SYSTEM_ACCOUNTS], resourceRules: [ELECTION] },
  },
  'system-node-high': {
    level: 'node-high',
    precedence: 400,
    by: 'ByUser',
    rule: { subjects: [NODES], resourceRules: [OWN_NODE, { verbs: ALL, ...LEASES }] },
  },
  'system-nodes': { level: 'system', precedence: 500, by: 'ByUser', rule: whatever(NODES) },
  'kube-controller-manager': high(800, whatever(CONTROLLERS)),
  'kube-scheduler': high(800, whatever(SCHEDULER)),
  'kube-system-service-accounts': high(900, whatever(SYSTEM_ACCOUNTS)),
  'service-accounts': {
    level: 'workload-low',
    precedence: 9000,
    by: 'ByUser',
    rule: whatever(group('system:serviceaccounts')),
  },
  'global-default': { level: 'global-default', precedence: 9900, by: 'ByUser', rule: whatever(...EVERYBODY) },
  'catch-all': { level: 'catch-all', precedence: 10_000, by: 'ByUser', rule: whatever(...EVERYBODY) },
};

function high(precedence: number, rule: JsonObject): Flow {
  return { level: 'workload-high', precedence, by: 'ByNamespace', rule };
}

export const standingFlow: readonly JsonObject[] = [
  ...LEVELS,
  ...Object.entries(FLOWS).map(([name, flow]) => schema(name, flow)),
];
