// What the readers of requests take: times, media types, signs that are none, timeouts.

import type { Case } from '../frame/case.ts';

export const readers: readonly Case[] = [
  {
    says: 'a time is read as Go reads it, and what is none is told at its first mistake',
    steps: async t => {
      const maps = `${await t.in('configmaps')}?dryRun=All`;
      for (const creationTimestamp of [
        ...[
          '2020-01-01T00:00:00.5Z',
          '2020-01-01T00:00:00+23:59',
          '2020-01-01T00:00:00',
          '2020-01-01',
          '2020-1-01',
          '',
        ],
        ...['2020-13-01T00:00:00Z', '2020-02-30T00:00:00Z', '2020-01-01T24:00:00Z', '2020-01-01T00:60:00Z', 'soon'],
        ...['2020-01-01 00:00:00Z', '2020-01-01T00:00:00ZX', '2020-01-01T00:00:00+25:00'],
      ]) {
        const { status, json } = await t.quietly({
          method: 'POST',
          path: maps,
          body: { metadata: { name: 'a', creationTimestamp } },
        });
        t.note(`read ${creationTimestamp}`.replaceAll(':', '.'), [status, json.message?.replaceAll(':', '.') ?? '']);
      }
    },
  },
  {
    says: 'a time of a Lease or an Event has six digits behind the second',
    steps: async t => {
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      for (const renewTime of [
        ...['2020-01-01T00:00:00.123456Z', '2020-01-01T00:00:00,123456+01:00', '2020-01-01T00:00:00Z', 'x', ''],
        ...['2020-01-01T00:00:00.123Z', '2020-01-01T00:00:00.123456789Z', '2020-01-01T00:00:00.000000'],
        ...['2020-02-30T00:00:00.000000Z', '2020-01-01T00:00:00.000000+25:00', '2020-01-01T00:00:00.000000ZX'],
      ]) {
        const body = { metadata: { name: 'a' }, spec: { renewTime } };
        const { status, json } = await t.quietly({ method: 'POST', path: `${leases}?dryRun=All`, body });
        const told = (json.message ?? json.spec.renewTime).replaceAll(':', '.');
        t.note(`read ${renewTime}`.replaceAll(':', '.'), [status, told]);
      }
      const regarding = { kind: 'Pod', namespace: t.ns, name: 'p' };
      const said = { reason: 'r', action: 'a', type: 'Normal', reportingController: 'e.com/c', reportingInstance: 'i' };
      const event = { metadata: { name: 'a' }, ...said, regarding, eventTime: '2020-01-01T00:00:00Z' };
      await t.post(await t.in('events', '/apis/events.k8s.io/v1'), event);
    },
  },
  {
    says: 'a media type whose parameters cannot be read is none',
    steps: async t => {
      const maps = `${await t.in('configmaps')}?dryRun=All`;
      for (const parameters of [';', '; charset=utf-16', ' ; q=1', '; a="b;c"', ';foo', ';a=b;A=c', '; a="b', ';a=;']) {
        const headers = { 'content-type': `application/json${parameters}` };
        const { status, json } = await t.quietly({
          method: 'POST',
          path: maps,
          body: { metadata: { name: 'a' } },
          headers,
        });
        t.note(`application/json${parameters}`, [status, json.message ?? '']);
      }
    },
  },
  {
    says: 'JSON begins with no byte order mark, and half a character is read as none',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, '\ufeff{"metadata":{"name":"a"}}');
      const headers = { 'content-type': 'application/yaml' };
      await t.post(maps, '\ufeffmetadata:\n  name: b\n', { headers });
      const text = '{"metadata":{"name":"c"},"data":{"a":"x\\ud800y","b":"\\uDC00","c":"\\ud83d\\ude00"}}';
      await t.post(maps, text);
    },
  },
  {
    says: 'a create that names a resourceVersion is not refused in a dry run',
    steps: async t => {
      await t.post(`${await t.in('configmaps')}?dryRun=All`, { metadata: { name: 'a', resourceVersion: '5' } });
    },
  },
  {
    says: 'a selector compares with whole numbers of 64 bits only',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const most of ['9223372036854775807', '9223372036854775808', '99999999999999999999', '007']) {
        await t.get(`${maps}?labelSelector=${encodeURIComponent(`i>${most}`)}`);
      }
    },
  },
  {
    says: 'ReplicaSets are not selected by their replicas, slices of resources are by their node',
    steps: async t => {
      await t.get(await t.in('replicasets?fieldSelector=status.replicas%3D1', '/apis/apps/v1'));
      await t.get('/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Dnone,spec.driver%3Dnone');
    },
  },
];
