// What LimitRanges, ResourceQuotas and PriorityClasses must be, beyond their names and amounts.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import { inCluster, inNamespace, type Kind, odd, oddChanges, type Row, verdict } from './odd-objects.ts';

const limitRange: Kind = { door: inNamespace('limitranges', '/api/v1'), sound: { spec: { limits: [] } } };
const quota: Kind = { door: inNamespace('resourcequotas', '/api/v1'), sound: { spec: { hard: { pods: '1' } } } };
const scoped: Kind = {
  ...quota,
  sound: { spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } },
};
const priority: Kind = { door: inCluster('priorityclasses', '/apis/scheduling.k8s.io/v1'), sound: { value: 1 } };

const limit = (what: string, ...limits: readonly object[]): Row => [what, {}, { limits }];
const container = (more: object): object => ({ type: 'Container', ...more });
const selecting = (what: string, ...matchExpressions: readonly object[]): Row => [
  what,
  {},
  { scopeSelector: { matchExpressions } },
];

export const quotas: readonly Case[] = [
  odd(
    limitRange,
    'the bounds of a LimitRange agree with each other',
    limit('ratio', container({ maxLimitRequestRatio: { cpu: '500m' } })),
    limit('ratio of none', container({ maxLimitRequestRatio: { cpu: '0' } })),
    limit('ratio and bounds', container({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } })),
    limit('ratio and no least', container({ max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } })),
    limit('ratio and nothing', container({ min: { cpu: '0' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } })),
    limit('name with a space', { type: 'Pod', min: { 'a b': '1' } }),
    limit('no standard name', container({ defaultRequest: { x: '1' } })),
    limit('what no container has', container({ min: { 'a b': '1' } })),
    limit('of quotas', container({ max: { pods: '1' } })),
    limit('of Pods', { type: 'Pod', max: { pods: '1' } }),
    limit('ratio of what no container has', container({ maxLimitRequestRatio: { x: '1' } })),
    limit('devices', container({ default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } })),
    limit('pages', container({ default: { 'hugepages-2Mi': '4Mi' }, defaultRequest: { 'hugepages-2Mi': '2Mi' } })),
    limit('below zero', container({ min: { cpu: '-1' } })),
    limit('default above', container({ max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '3' } })),
    limit('default below', container({ min: { cpu: '3' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } })),
    limit('Pods', { type: 'Pod', min: { cpu: '3' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '9' } }),
    limit('Pods with defaults', { type: 'Pod', default: { cpu: '3' }, defaultRequest: { cpu: '2' } }),
    limit('claims', { type: 'PersistentVolumeClaim', min: { storage: '3Gi' }, max: { storage: '2Gi' } }),
    limit('claims of nothing', { type: 'PersistentVolumeClaim', default: { storage: '3Gi' } }),
    limit('claims of memory', { type: 'PersistentVolumeClaim', max: { storage: '3Gi', memory: '1' } }),
    limit('images', { type: 'openshift.io/Image', max: { storage: '1Gi' } }),
    limit('twice', container({ max: { cpu: '1' } }), container({ max: { cpu: '1' } })),
    ['name', { metadata: { name: 'A_b' } }],
    ['none', {}, { limits: null }],
  ),
  odd(
    quota,
    'the scopes of a ResourceQuota select what it counts',
    selecting('scope', { scopeName: 'x', operator: 'Exists' }),
    selecting('operator', { scopeName: 'PriorityClass', operator: 'x' }),
    selecting('no values', { scopeName: 'PriorityClass', operator: 'In' }),
    selecting('values', { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
    selecting('none of it', { scopeName: 'PriorityClass', operator: 'NotIn', values: [] }),
    selecting('absent', { scopeName: 'PriorityClass', operator: 'DoesNotExist' }),
    selecting('in', { scopeName: 'BestEffort', operator: 'In', values: ['a'] }),
    selecting('not there', { scopeName: 'Terminating', operator: 'DoesNotExist' }),
    selecting('cross', { scopeName: 'CrossNamespacePodAffinity', operator: 'In', values: ['a'] }),
    selecting('class of volumes', { scopeName: 'VolumeAttributesClass', operator: 'Exists' }),
    selecting('one class of volumes', { scopeName: 'VolumeAttributesClass', operator: 'In', values: ['a'] }),
    selecting(
      'conflict',
      { scopeName: 'BestEffort', operator: 'Exists' },
      { scopeName: 'NotBestEffort', operator: 'Exists' },
    ),
    selecting('sound', { scopeName: 'PriorityClass', operator: 'In', values: ['a', 'b'] }),
    ['twice', {}, { scopes: ['BestEffort', 'BestEffort'] }],
    ['not counted', {}, { hard: { services: '1' }, scopes: ['NotTerminating'] }],
    ['not counted by class', {}, { hard: { services: '1' }, scopes: ['PriorityClass'] }],
    ['of claims', {}, { hard: { 'requests.storage': '1Gi' }, scopes: ['VolumeAttributesClass'] }],
    ['by attributes', {}, { hard: { pods: '1' }, scopes: ['VolumeAttributesClass'] }],
    ['best effort', {}, { hard: { 'requests.cpu': '1', pods: '1' }, scopes: ['BestEffort'] }],
  ),
  odd(
    quota,
    'the amounts of a ResourceQuota are whole where things are counted',
    ['half', {}, { hard: { 'count/deployments.apps': '500m' } }],
    ['half a service', {}, { hard: { 'services.nodeports': '500m' } }],
    ['half a device', {}, { hard: { 'requests.example.com/gpu': '500m' } }],
    ['device', {}, { hard: { 'example.com/gpu': '1' } }],
    ['limits of a device', {}, { hard: { 'limits.example.com/gpu': '1' } }],
    ['half a core', {}, { hard: { 'requests.cpu': '500m', cpu: '1500m', 'limits.cpu': '1' } }],
    ['pages', {}, { hard: { 'hugepages-2Mi': '1Mi', 'requests.hugepages-2Mi': '2Mi' } }],
    ['storage', {}, { hard: { storage: '1Gi' } }],
    ['asked storage', {}, { hard: { 'requests.storage': '1Gi' } }],
    ['limit of storage', {}, { hard: { 'limits.storage': '1Gi' } }],
    ['count of nothing', {}, { hard: { 'count/': '1' } }],
    ['count with a space', {}, { hard: { 'count/a b': '1' } }],
    ['below zero', {}, { hard: { cpu: '-500m' } }],
    ['of a class', {}, { hard: { 'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '500m' } }],
    ['of a device class', {}, { hard: { 'a.deviceclass.resource.k8s.io/devices': '1' } }],
    ['ephemeral', {}, { hard: { 'requests.ephemeral-storage': '1', 'limits.ephemeral-storage': '1' } }],
  ),
  oddChanges(
    scoped,
    'a ResourceQuota keeps its scopes, and its status is sound',
    ['scopes', '', { spec: { scopes: ['NotBestEffort'] } }],
    ['no scopes', '', { spec: { scopes: null } }],
    ['amount', '', { spec: { hard: { pods: '5' } } }],
    ['below zero', '', { spec: { hard: { pods: '-5' } } }],
    ['status', '/status', { status: { hard: { pods: '-1' }, used: { pods: '0.5' } } }],
    ['names in status', '/status', { status: { hard: { x: '1' }, used: { 'a b': '1' } } }],
    ['sound status', '/status', { status: { hard: { pods: '1' }, used: { pods: '9' } } }],
    ['spec by status', '/status', { spec: { scopes: null, hard: { pods: '9' } } }],
  ),
  {
    says: 'a ResourceQuota that nobody has counted for refuses nothing',
    steps: async t => {
      const pods = await podsIn(t);
      const path = await t.in('resourcequotas');
      await t.post(path, { metadata: { name: 'q' }, spec: { hard: { pods: '0', 'count/pods': '0' } } });
      t.note('a Pod', verdict(await t.quietly({ method: 'POST', path: `${pods}?dryRun=All`, body: aPod('p') })));
    },
  },
  odd(
    priority,
    'a PriorityClass has a name of its own and a priority that is no more than its users may have',
    ['no name', { metadata: { name: '' } }],
    ['name', { metadata: { name: 'A_b' } }],
    ['no value', { value: null }],
    ['low', { value: -2_147_483_648 }],
    ['highest', { value: 1_000_000_000 }],
    ['no policy', { preemptionPolicy: '' }],
    ['system', { metadata: { name: 'system-cluster-critical' } }],
    ['system name', { metadata: { name: 'system-' } }],
  ),
  oddChanges(
    priority,
    'a PriorityClass keeps its value and its policy',
    ['value', '', { value: 2 }],
    ['no value', '', { value: null }],
    ['policy', '', { preemptionPolicy: 'Never' }],
    ['unknown policy', '', { preemptionPolicy: 'x' }],
    ['both', '', { value: 3, preemptionPolicy: 'Never' }],
    ['description', '', { description: 'd' }],
  ),
  {
    says: 'one PriorityClass is the default',
    alone: true,
    steps: async t => {
      const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
      const name = t.own('default');
      t.after(() => t.quietly({ method: 'DELETE', path: `${classes}/${name}` }));
      await t.post(classes, { metadata: { name }, value: 0, globalDefault: true });
      await t.post(`${classes}?dryRun=All`, { metadata: { name: t.own('other') }, value: 1, globalDefault: true });
      await t.post(`${classes}?dryRun=All`, { metadata: { name: t.own('third') }, value: 1 });
      await t.patch(`${classes}/${name}?dryRun=All`, 'merge-patch+json', { description: 'the default' });
    },
  },
];
