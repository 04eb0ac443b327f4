// Where a Pod may go, where it goes, and what is said when it can go nowhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../../kube/core/node.ts';
import type { NodeSelectorRequirement, Pod, PodSpec } from '../../kube/core/pod.ts';
import { type Candidate, refusalsOf, unschedulableMessage } from './filter.ts';
import { heldBy } from './resources.ts';
import { bestOf } from './score.ts';

const pod = (spec: Partial<PodSpec> = {}, requests: Record<string, string> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'vm', namespace: 'default', uid: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec },
});

const node = (
  name: string,
  more: { labels?: Record<string, string>; spec?: Node['spec']; allocatable?: Record<string, string> } = {},
): Candidate => ({
  node: {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: more.labels ?? {} },
    spec: more.spec ?? {},
    status: { allocatable: more.allocatable ?? { cpu: '8', memory: '16Gi', pods: '2' } },
  },
  held: new Map(),
});

const taint = { key: 'tuist.dev/macos', value: 'true', effect: 'NoSchedule' } as const;

const requiring = (operator: NodeSelectorRequirement['operator'], values?: string[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'size', operator, ...(values === undefined ? {} : { values }) }] },
        ],
      },
    },
  },
});

const refusals: readonly (readonly [string, Pod, Candidate, readonly string[]])[] = [
  ['fits', pod(), node('a'), []],
  ['cordoned', pod(), node('a', { spec: { unschedulable: true } }), ['node(s) were unschedulable']],
  [
    'tainted',
    pod(),
    node('a', { spec: { taints: [taint] } }),
    ['node(s) had untolerated taint {tuist.dev/macos: true}'],
  ],
  [
    'tolerated',
    pod({ tolerations: [{ key: taint.key, operator: 'Exists' }] }),
    node('a', { spec: { taints: [taint] } }),
    [],
  ],
  ['selector', pod({ nodeSelector: { size: 'l' } }), node('a'), ["node(s) didn't match Pod's node affinity/selector"]],
  ['affinity In', pod(requiring('In', ['l'])), node('a', { labels: { size: 'l' } }), []],
  [
    'affinity NotIn',
    pod(requiring('NotIn', ['l'])),
    node('a', { labels: { size: 'l' } }),
    ["node(s) didn't match Pod's node affinity/selector"],
  ],
  ['affinity Gt', pod(requiring('Gt', ['3'])), node('a', { labels: { size: '4' } }), []],
  ['affinity absent', pod(requiring('DoesNotExist')), node('a'), []],
  ['too much', pod({}, { cpu: '9', memory: '17Gi' }), node('a'), ['Insufficient cpu', 'Insufficient memory']],
  ['a resource no Node has', pod({}, { 'example.com/gpu': '1' }), node('a'), ['Insufficient example.com/gpu']],
];

for (const [what, subject, candidate, expected] of refusals) {
  test(`refusals: ${what}`, () => {
    assert.deepEqual(refusalsOf(subject, candidate), expected);
  });
}

test('a Node with all places taken takes no further Pod, and finished Pods take none', () => {
  const finished: Pod = { ...pod(), status: { phase: 'Succeeded' } };
  const full = { ...node('a'), held: heldBy([pod(), pod()]) };
  const half = { ...node('a'), held: heldBy([pod(), finished, finished]) };

  assert.deepEqual(refusalsOf(pod(), full), ['Too many pods']);
  assert.deepEqual(refusalsOf(pod(), half), []);
});

test('shares of CPU add up exactly', () => {
  const held = heldBy([pod({}, { cpu: '100m' }), pod({}, { cpu: '200m' })]);

  assert.deepEqual(
    refusalsOf(pod({}, { cpu: '700m' }), { ...node('a', { allocatable: { cpu: '1', pods: '9' } }), held }),
    [],
  );
});

test('an init container that asks more than all containers counts alone', () => {
  const subject = pod(
    { initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '9' } } }] },
    { cpu: '1' },
  );

  assert.deepEqual(refusalsOf(subject, node('a')), ['Insufficient cpu']);
});

test('the message counts Nodes by reason', () => {
  assert.equal(
    unschedulableMessage([['node(s) were unschedulable'], ['Insufficient cpu', 'Too many pods'], ['Insufficient cpu']]),
    '0/3 nodes are available: 1 Too many pods, 1 node(s) were unschedulable, 2 Insufficient cpu.',
  );
  assert.equal(unschedulableMessage([]), 'no nodes available to schedule pods');
});

test('of equal Nodes the first by name wins, whatever their order', () => {
  const [a, b] = [node('a'), node('b')];

  assert.equal(bestOf(pod(), [b, a])?.node.metadata.name, 'a');
  assert.equal(bestOf(pod(), [a, b])?.node.metadata.name, 'a');
});

test('the least allocated Node wins', () => {
  const busy = { ...node('a'), held: heldBy([pod({}, { cpu: '4' })]) };

  assert.equal(bestOf(pod(), [busy, node('b')])?.node.metadata.name, 'b');
});

test('a preference outweighs a little load, a soft taint outweighs both', () => {
  const prefers = pod({
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 50, preference: { matchExpressions: [{ key: 'golden', operator: 'Exists' }] } },
        ],
      },
    },
  });
  const golden = { ...node('b', { labels: { golden: 'yes' } }), held: heldBy([pod()]) };
  const softTainted = node('c', {
    labels: { golden: 'yes' },
    spec: { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] },
  });

  assert.equal(bestOf(prefers, [node('a'), golden, softTainted])?.node.metadata.name, 'b');
  assert.equal(bestOf(prefers, [node('a'), softTainted])?.node.metadata.name, 'a');
});
