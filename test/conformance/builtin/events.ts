// Events of the newer group are held to more than those of the core group, although both are stored as one.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const NEWER = '/apis/events.k8s.io/v1';
const TIME = '2026-01-01T00:00:00.000000Z';

/** Whole, in the words of the newer group. */
const newer = (t: Trial, more: object = {}): object => ({
  metadata: { name: 'a' },
  regarding: { kind: 'Pod', namespace: t.ns, name: 'p' },
  eventTime: TIME,
  type: 'Normal',
  reason: 'Pulled',
  action: 'Pulling',
  note: 'it came',
  reportingController: 'example.com/puller',
  reportingInstance: 'puller-1',
  ...more,
});

/** Whole, in the words of the core group. */
const older = (t: Trial, more: object = {}): object => ({
  metadata: { name: 'a' },
  involvedObject: { kind: 'Pod', namespace: t.ns, name: 'p' },
  reason: 'Pulled',
  message: 'it came',
  ...more,
});

const tried = (says: string, ...changes: readonly object[]): Case => ({
  says,
  steps: async t => {
    const path = await t.in('events', NEWER);
    for (const change of changes) await t.post(`${path}?dryRun=All`, newer(t, change));
  },
});

const triedInCore = (says: string, ...changes: readonly object[]): Case => ({
  says,
  steps: async t => {
    const path = await t.in('events');
    for (const change of changes) await t.post(`${path}?dryRun=All`, older(t, change));
  },
});

const changed = (says: string, ...changes: readonly object[]): Case => ({
  says,
  steps: async t => {
    const path = await t.in('events', NEWER);
    await t.quietly({ method: 'POST', path, body: newer(t) });
    for (const change of changes) await t.patch(`${path}/a?dryRun=All`, 'merge-patch+json', change);
  },
});

export const events: readonly Case[] = [
  tried('an Event of the newer group that says all is taken', {}),
  tried('an Event of the newer group needs its time', { eventTime: null }),
  tried('an Event of the newer group is Normal or Warning', { type: 'Odd' }, { type: '' }, { type: 'Warning' }),
  tried(
    'an Event of the newer group names who reports',
    { reportingController: '' },
    { reportingController: 'not a name' },
    { reportingController: `${'a'.repeat(64)}` },
  ),
  tried(
    'an Event of the newer group names the instance that reports in at most 128 characters',
    { reportingInstance: '' },
    { reportingInstance: 'i'.repeat(128) },
    { reportingInstance: 'i'.repeat(129) },
  ),
  tried('an Event of the newer group names its action', { action: '' }, { action: 'a'.repeat(129) }),
  tried('an Event of the newer group has a reason', { reason: '' }, { reason: 'r'.repeat(129) }),
  tried('the note of an Event has at most 1024 characters', { note: 'n'.repeat(1024) }, { note: 'n'.repeat(1025) }),
  tried(
    'an Event of the newer group has no field of the old form',
    { deprecatedFirstTimestamp: '2026-01-01T00:00:00Z' },
    { deprecatedLastTimestamp: '2026-01-01T00:00:00Z' },
    { deprecatedCount: 1 },
    { deprecatedSource: { component: 'me' } },
    { deprecatedSource: { host: 'here' } },
  ),
  tried(
    'a series of an Event counts at least two and says when it was last seen',
    { series: { count: 2, lastObservedTime: TIME } },
    { series: { count: 1, lastObservedTime: TIME } },
    { series: { count: 2 } },
    { series: {} },
  ),
  tried(
    'an Event of the newer group is in the Namespace of what it regards',
    { regarding: { kind: 'Pod', namespace: 'default', name: 'p' } },
    { regarding: { kind: 'Node', name: 'n' } },
    { regarding: null },
  ),
  tried('all that an empty Event of the newer group lacks is told at once', {
    regarding: null,
    eventTime: null,
    type: '',
    reason: '',
    action: '',
    reportingController: '',
    reportingInstance: '',
  }),
  {
    says: 'an Event of the newer group about a thing of the cluster is in the Namespace default',
    steps: async t => {
      const more = { metadata: { name: t.own('a') }, regarding: { kind: 'Node', name: 'n' } };
      await t.post(`${NEWER}/namespaces/default/events?dryRun=All`, newer(t, more));
    },
  },
  triedInCore(
    'an Event of the core group without a time needs nothing more',
    {},
    { type: 'Odd' },
    { reason: '', message: '' },
    { count: 1, series: { count: 1 } },
  ),
  triedInCore(
    'an Event of the core group with a time says who reports and what was done',
    { eventTime: TIME },
    { eventTime: TIME, reportingComponent: 'me', reportingInstance: 'i', action: 'a', type: 'Odd' },
    { eventTime: TIME, reportingComponent: 'not a name', reportingInstance: 'i', action: 'a' },
    { eventTime: TIME, reportingComponent: 'me', reportingInstance: 'i'.repeat(129), action: 'a'.repeat(129) },
    { eventTime: TIME, reportingComponent: 'me', reportingInstance: 'i', action: 'a', message: 'm'.repeat(1025) },
    { eventTime: TIME, reportingComponent: 'me', reportingInstance: 'i', action: 'a', count: 3 },
  ),
  changed(
    'only the series of an Event of the newer group may change',
    { series: { count: 2, lastObservedTime: TIME } },
    { metadata: { labels: { a: 'b' } } },
    { series: { count: 1 } },
  ),
  changed(
    'what an Event of the newer group tells is fixed',
    { reason: 'Other' },
    { note: 'other' },
    { type: 'Warning' },
    { action: 'Other' },
    { reportingController: 'example.com/other' },
    { reportingInstance: 'other' },
  ),
  changed('the time of an Event of the newer group is fixed', { eventTime: '2026-01-02T00:00:00.000000Z' }),
  changed('what an Event of the newer group regards is fixed', { regarding: { name: 'q' } }),
  changed('what an Event of the newer group is related to is fixed', { related: { kind: 'Pod', name: 'r' } }),
  changed(
    'an Event of the newer group gets no field of the old form later',
    { deprecatedCount: 2 },
    { deprecatedSource: { component: 'c' } },
    { deprecatedFirstTimestamp: '2026-01-01T00:00:00Z' },
  ),
  {
    says: 'an Event of the core group may change as a whole',
    steps: async t => {
      const path = await t.in('events');
      await t.post(path, older(t));
      await t.patch(`${path}/a`, 'merge-patch+json', { reason: 'Other', message: 'other', type: 'Odd', count: 4 });
      await t.get(await t.in('events/a', NEWER));
    },
  },
  {
    says: 'an Event of the core group cannot be changed in the newer group beyond its series',
    steps: async t => {
      const path = await t.in('events');
      await t.quietly({ method: 'POST', path, body: older(t, { count: 1, source: { component: 'c' } }) });
      const same = await t.in('events/a', NEWER);
      await t.patch(same, 'merge-patch+json', { metadata: { labels: { a: 'b' } } });
      await t.patch(same, 'merge-patch+json', { deprecatedCount: 2 });
    },
  },
];
