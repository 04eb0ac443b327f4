// What limits and ranks others: odd budgets, priorities, ranges, quotas.

import type { Case } from '../frame/case.ts';
import { inCluster, inNamespace, type Kind, odd, type Row } from './odd-objects.ts';

const budget: Kind = {
  door: inNamespace('poddisruptionbudgets', '/apis/policy/v1'),
  sound: { spec: { selector: { matchLabels: { a: 'b' } } } },
};
const priority: Kind = {
  door: inCluster('priorityclasses', '/apis/scheduling.k8s.io/v1'),
  sound: { value: 1 },
};
const limitRange: Kind = { door: inNamespace('limitranges', '/api/v1'), sound: { spec: { limits: [] } } };
const quota: Kind = { door: inNamespace('resourcequotas', '/api/v1'), sound: { spec: {} } };

const limit = (what: string, ...limits: readonly object[]): Row => [what, {}, { limits }];
const hard = (what: string, amounts: object, more: object = {}): Row => [what, {}, { hard: amounts, ...more }];

export const policies: readonly Case[] = [
  odd(
    budget,
    'a PodDisruptionBudget with anything odd is refused',
    ['no values', {}, { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }],
    ['operator', {}, { selector: { matchExpressions: [{ key: 'a b', operator: 'x', values: ['c d'] }] } }],
    ['labels', {}, { selector: { matchLabels: { 'a b': 'c d' } } }],
    ['share', {}, { minAvailable: '101%' }],
    ['no share', {}, { maxUnavailable: 'x' }],
    ['policy', {}, { unhealthyPodEvictionPolicy: '' }],
    ['below zero', {}, { maxUnavailable: -1 }],
  ),
  odd(
    priority,
    'a PriorityClass with anything odd is refused',
    ['policy', { preemptionPolicy: 'x' }],
    ['high', { value: 1_000_000_001 }],
    ['reserved', { metadata: { name: 'system-x' } }],
    ['low', { value: -5 }],
  ),
  odd(
    limitRange,
    'a LimitRange with anything odd is refused',
    limit('type', { type: 'x' }),
    limit('no type', { type: '' }),
    limit('bad type', { type: 'a b' }),
    limit('own type', { type: 'example.com/x', max: { 'example.com/y': '1' } }),
  ),
  odd(
    quota,
    'a ResourceQuota with anything odd is refused',
    hard('name', { x: '1' }),
    hard('name with a space', { 'a b': '1' }),
    hard('below zero', { pods: '-1' }),
    hard('fraction', { pods: '1.5' }),
    hard('of a class', { 'x.storageclass.storage.k8s.io/requests.storage': '1Gi' }),
    hard('scope', { pods: '1' }, { scopes: ['x'] }),
    hard('best effort', { cpu: '1' }, { scopes: ['BestEffort'] }),
    hard('both', { pods: '1' }, { scopes: ['Terminating', 'NotTerminating'] }),
  ),
];
