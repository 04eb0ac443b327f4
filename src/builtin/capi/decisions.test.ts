// The decisions of the Cluster API subset that need no API: spellings, order of deletion, rollout, health.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Node } from '../../kube/core/node.ts';
import type { Condition } from '../../kube/object.ts';
import { podNamed } from '../objects.testing.ts';
import { planOf, type SetSize } from './deployment/rollout.ts';
import { hashOf } from './deployment/template.ts';
import { healthOf } from './health/judgement.ts';
import { allowanceFor } from './health/limit.ts';
import { podsToDrain } from './machine/drain.ts';
import { firstToGo } from './set/priority.ts';
import { absoluteOf, deletionLimitsOf, durationSeconds, healthRulesOf, strategyOf } from './spelling.ts';

const machine = (
  name: string,
  more: Partial<Machine['metadata']> = {},
  conditions: readonly Condition[] = [],
): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, ...more },
  spec: { clusterName: 'c', bootstrap: {}, infrastructureRef: { kind: 'Mac', name } },
  status: { nodeRef: { name }, conditions: [{ type: 'NodeHealthy', status: 'True' }, ...conditions] },
});

test('durations of v1beta1 read as seconds', () => {
  assert.deepEqual(['1h30m', '45s', '1.5m', '0s', '0', 'soon', '5'].map(durationSeconds), [
    5400,
    45,
    90,
    0,
    0,
    undefined,
    undefined,
  ]);
});

test('both spellings of a limit mean the same, and 0 is no limit', () => {
  const base = machine('a').spec;

  assert.deepEqual(
    deletionLimitsOf({ ...base, nodeDrainTimeout: '10m' }),
    deletionLimitsOf({ ...base, deletion: { nodeDrainTimeoutSeconds: 600 } }),
  );
  assert.deepEqual(
    deletionLimitsOf({ ...base, deletion: { nodeDeletionTimeoutSeconds: 0 } }).nodeDeletionSeconds,
    undefined,
  );
  assert.equal(deletionLimitsOf(base).nodeDeletionSeconds, 10);
});

test('both places of a strategy are read', () => {
  const base = { clusterName: 'c', template: { spec: machine('a').spec } };

  assert.equal(strategyOf({ ...base, strategy: { type: 'OnDelete' } }).type, 'OnDelete');
  assert.equal(strategyOf({ ...base, rollout: { strategy: { type: 'OnDelete' } } }).type, 'OnDelete');
  assert.deepEqual(strategyOf(base), { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, order: 'Random' });
});

test('percentages round as told', () => {
  assert.deepEqual([absoluteOf('25%', 5, 'up'), absoluteOf('25%', 5, 'down'), absoluteOf(3, 5, 'up')], [2, 1, 3]);
});

test('marked machines go first, then broken ones, then by age', () => {
  const old = machine('old', { creationTimestamp: '2026-01-01T00:00:00Z' });
  const young = machine('young', { creationTimestamp: '2026-01-02T00:00:00Z' });
  const sick = machine('sick', {}, [{ type: 'HealthCheckSucceeded', status: 'False' }]);
  const marked = machine('marked', { annotations: { 'cluster.x-k8s.io/delete-machine': '' } });
  const going = machine('going', { deletionTimestamp: '2026-01-01T00:00:00Z' });
  const all = [going, old, young, sick, marked];

  const names = (order: 'Newest' | 'Oldest') => firstToGo(all, 3, order).map(one => one.metadata.name);

  assert.deepEqual(names('Newest'), ['marked', 'sick', 'young']);
  assert.deepEqual(names('Oldest'), ['marked', 'sick', 'old']);
});

const set = (name: string, wanted: number, available = wanted, kept = wanted): SetSize => ({
  name,
  wanted,
  available,
  kept,
});

const rolling = { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, order: 'Random' } as const;

test('a rollout ends with all machines new, never fewer available than asked, never more than the surge', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      (replicas, maxSurge, maxUnavailable, oldSizes) => {
        const strategy = { ...rolling, maxSurge, maxUnavailable };
        const slack = Math.max(maxUnavailable, maxSurge + maxUnavailable === 0 ? 1 : 0);
        let current = set('new', 0);
        let old = oldSizes.map((size, index) => set(`old-${index}`, size));
        const start = old.reduce((sum, one) => sum + one.wanted, 0);
        for (let step = 0; step < 60; step++) {
          const plan = planOf({ replicas, strategy, current, old });
          const sizes = old.map(one => plan.old.get(one.name) ?? one.wanted);
          const total = plan.current + sizes.reduce((sum, size) => sum + size, 0);
          assert.ok(total <= Math.max(replicas + maxSurge, start), 'no more than the surge');
          const stays = Math.min(plan.current, current.available) + sizes.reduce((sum, size) => sum + size, 0);
          assert.ok(stays >= Math.min(replicas - slack, start), 'enough stay available');
          // Every machine that was asked for becomes available before the next step.
          current = set('new', plan.current);
          old = old.map((one, index) => set(one.name, sizes[index] ?? 0));
        }
        assert.equal(current.wanted, replicas);
        assert.ok(old.every(one => one.wanted === 0));
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});

test('OnDelete replaces what somebody deletes and nothing else', () => {
  const strategy = { ...rolling, type: 'OnDelete' } as const;

  const untouched = planOf({ replicas: 3, strategy, current: set('new', 0), old: [set('old', 3)] });
  const oneGoing = planOf({ replicas: 3, strategy, current: set('new', 0), old: [set('old', 3, 2, 2)] });
  const stillGoing = planOf({ replicas: 3, strategy, current: set('new', 1), old: [set('old', 2, 2, 2)] });
  const toNone = planOf({ replicas: 0, strategy, current: set('new', 1), old: [set('old', 2)] });

  assert.deepEqual(untouched, { current: 0, old: new Map() });
  assert.deepEqual(oneGoing, { current: 1, old: new Map([['old', 2]]) });
  assert.deepEqual(stillGoing, { current: 1, old: new Map() });
  assert.deepEqual(toNone, { current: 0, old: new Map([['old', 0]]) });
});

test('labels, time limits and the spelling of a reference make no new template', () => {
  const spec = machine('a').spec;
  const hash = hashOf({
    spec: { ...spec, infrastructureRef: { apiVersion: 'x.io/v1alpha1', kind: 'MacTemplate', name: 'm' } },
  });
  const same = hashOf({
    metadata: { labels: { a: 'b' } },
    spec: {
      ...spec,
      deletion: { nodeDrainTimeoutSeconds: 5 },
      infrastructureRef: { apiGroup: 'x.io', kind: 'MacTemplate', name: 'm' },
    },
  });
  const other = hashOf({ spec: { ...spec, infrastructureRef: { apiGroup: 'x.io', kind: 'MacTemplate', name: 'm2' } } });

  assert.equal(hash, same);
  assert.notEqual(hash, other);
});

const rules = healthRulesOf({
  clusterName: 'c',
  unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '5m' }],
  maxUnhealthy: '40%',
});
const at = (text: string): number => Date.parse(text);
const node = (status: Condition['status']): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a' },
  status: { conditions: [{ type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
});

test('a Node condition must have lasted; until then it is known when to look again', () => {
  const subject = { machine: machine('a'), node: { kind: 'found', node: node('Unknown') }, startedMs: 0 } as const;

  assert.deepEqual(healthOf(subject, rules, at('2026-01-01T00:04:00Z')), { kind: 'healthy', againMs: 60_000 });
  assert.equal(healthOf(subject, rules, at('2026-01-01T00:05:00Z')).kind, 'unhealthy');
});

test('a machine may be without Node for as long as a start takes, and not after its Node is gone', () => {
  const none = { machine: machine('a'), node: { kind: 'none' }, startedMs: at('2026-01-01T00:00:00Z') } as const;

  assert.equal(healthOf(none, rules, at('2026-01-01T00:09:59Z')).kind, 'starting');
  assert.equal(healthOf(none, rules, at('2026-01-01T00:10:00Z')).kind, 'unhealthy');
  assert.equal(healthOf({ ...none, node: { kind: 'gone' } }, rules, at('2026-01-01T00:00:01Z')).kind, 'unhealthy');
  const forEver = healthRulesOf({ clusterName: 'c', checks: { nodeStartupTimeoutSeconds: 0 } });
  assert.equal(healthOf(none, forEver, at('2027-01-01T00:00:00Z')).kind, 'healthy');
});

test('nothing is replaced while too many are unhealthy', () => {
  assert.equal(allowanceFor(rules, 5, 2).isAllowed, true);
  assert.equal(allowanceFor(rules, 5, 3).isAllowed, false);
  const range = healthRulesOf({ clusterName: 'c', unhealthyRange: '[2-3]' });
  assert.deepEqual(
    [1, 2, 3, 4].map(count => allowanceFor(range, 9, count).isAllowed),
    [false, true, true, false],
  );
});

test('a drain leaves mirror Pods, DaemonSet Pods and those that say so, and on a dead Node those told to go', () => {
  const daemon = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true };
  const pods = [
    podNamed('plain'),
    podNamed('mirror', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    podNamed('daemon', {}, { ownerReferences: [daemon] }),
    podNamed('skipped', {}, { labels: { 'cluster.x-k8s.io/drain': 'skip' } }),
    podNamed('told', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  ];
  const names = (isUnreachable: boolean) =>
    podsToDrain(pods, { isUnreachable, nowMs: at('2026-01-01T00:00:02Z') }).map(pod => pod.metadata.name);

  assert.deepEqual(names(false), ['plain', 'told']);
  assert.deepEqual(names(true), ['plain']);
});
