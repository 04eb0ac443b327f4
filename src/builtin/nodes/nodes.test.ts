// When a Node counts as silent, which taints it gets, and how long Pods stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, NodeCondition, Taint } from '../../kube/core/node.ts';
import { graceOf, sight, signOfLife, silenceMs, silentConditions } from './health.ts';
import { taintsFor } from './taints.ts';
import { evictionTime } from './tolerance.ts';

const NOW = Date.UTC(2026, 0, 1);

const node = (conditions: readonly NodeCondition[], spec: Node['spec'] = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'mac-0', uid: 'u' },
  spec,
  status: { conditions },
});

const ready = (status: NodeCondition['status']): NodeCondition => ({ type: 'Ready', status, reason: 'x' });

test('silence is the larger of the two clocks, and a wall clock that went back does not shorten it', () => {
  const seen = sight(undefined, 'a', { wallMs: NOW, monotonicMs: 0 });

  assert.equal(silenceMs(seen, { wallMs: NOW + 10, monotonicMs: 20 }), 20);
  assert.equal(silenceMs(seen, { wallMs: NOW + 90, monotonicMs: 20 }), 90);
  assert.equal(silenceMs(seen, { wallMs: NOW - 3_600_000, monotonicMs: 20 }), 20);
});

test('a renewed Lease is a new sign of life, the same one is not', () => {
  const lease = (renewTime: string) => ({
    apiVersion: 'x',
    kind: 'Lease',
    metadata: { name: 'mac-0' },
    spec: { renewTime },
  });
  const first = sight(undefined, signOfLife(node([]), lease('a')), { wallMs: 0, monotonicMs: 0 });

  assert.equal(sight(first, signOfLife(node([]), lease('a')), { wallMs: 9, monotonicMs: 9 }), first);
  assert.equal(sight(first, signOfLife(node([]), lease('b')), { wallMs: 9, monotonicMs: 9 }).atMonotonicMs, 9);
});

test('a Node that never reported has the longer grace', () => {
  const grace = { missedLeasesMs: 50_000, startupMs: 60_000 };

  assert.deepEqual([graceOf(node([]), grace), graceOf(node([ready('True')]), grace)], [60_000, 50_000]);
});

test('a silent Node is Unknown in all four conditions, and says once whether it ever reported', () => {
  const conditions = silentConditions(node([ready('True'), { type: 'DiskPressure', status: 'Unknown' }]));

  assert.deepEqual(
    conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
    [
      'Ready Unknown NodeStatusUnknown',
      'MemoryPressure Unknown NodeStatusNeverUpdated',
      'PIDPressure Unknown NodeStatusNeverUpdated',
    ],
  );
});

test('taints follow the Ready condition and leave those of others alone', () => {
  const own: Taint = { key: 'tuist.dev/macos', value: 'true', effect: 'NoSchedule' };
  const textOf = (taints: readonly Taint[] | undefined) => taints?.map(taint => `${taint.key}:${taint.effect}`);

  const unreachable = taintsFor(node([ready('Unknown')], { taints: [own] }), NOW);
  const back = taintsFor(node([ready('True')], { taints: unreachable ?? [] }), NOW);

  assert.deepEqual(textOf(unreachable), [
    'tuist.dev/macos:NoSchedule',
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
  ]);
  assert.deepEqual(back, [own]);
  assert.equal(taintsFor(node([ready('True')], { taints: [own] }), NOW), undefined);
});

test('a Node that has never reported loses the taint of its birth and gets none', () => {
  const born: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

  assert.deepEqual(taintsFor(node([], { taints: [born] }), NOW), []);
  assert.equal(taintsFor(node([]), NOW), undefined);
});

test('a cordoned Node and one under pressure are tainted for new Pods only', () => {
  const taints = taintsFor(
    node([ready('True'), { type: 'DiskPressure', status: 'True' }], { unschedulable: true }),
    NOW,
  );

  assert.deepEqual(
    taints?.map(({ key, effect }) => [key, effect]),
    [
      ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
      ['node.kubernetes.io/unschedulable', 'NoSchedule'],
    ],
  );
});

const unreachable: Taint = {
  key: 'node.kubernetes.io/unreachable',
  effect: 'NoExecute',
  timeAdded: '2026-01-01T00:00:00Z',
};

test('a Pod that says nothing stays five minutes on an unreachable Node', () => {
  assert.equal(
    evictionTime([unreachable], [], () => 0),
    NOW + 300_000,
  );
});

test('a Pod stays as long as its shortest fitting toleration says, or for ever', () => {
  const toleration = { key: unreachable.key, operator: 'Exists' } as const;

  assert.equal(
    evictionTime([unreachable], [{ ...toleration, tolerationSeconds: 5 }], () => 0),
    NOW + 5000,
  );
  assert.equal(
    evictionTime([unreachable], [toleration], () => 0),
    undefined,
  );
});

test('a taint of a person that is not tolerated evicts at once, counted from when it was seen', () => {
  const taint: Taint = { key: 'repair', effect: 'NoExecute' };

  assert.equal(
    evictionTime([taint], [], () => 42),
    42,
  );
  assert.equal(
    evictionTime([{ ...taint, effect: 'NoSchedule' }], [], () => 42),
    undefined,
  );
});
