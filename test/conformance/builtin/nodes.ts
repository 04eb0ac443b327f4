// Nodes, their Leases and the Events of all: what those who run Pods write all day.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const TAINT = 'node.kubernetes.io';
const MERGE = 'merge-patch+json';
const LEASES = '/apis/coordination.k8s.io/v1';
const EVENTS = '/apis/events.k8s.io/v1';

function ownNode(t: Trial): { readonly name: string; readonly path: string } {
  const name = t.own('n');
  t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${name}` }));
  return { name, path: `/api/v1/nodes/${name}` };
}

interface Tainted {
  readonly spec?: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
}

/** The taints that a Node keeps, once it bears these: what it was born with is looked at first. */
async function taintsOf(t: Trial, conditions: readonly object[], ...kept: readonly string[]): Promise<void> {
  const { name, path } = ownNode(t);
  const status = conditions.length === 0 ? {} : { status: { conditions } };
  const born = await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name }, ...status } });
  const shown = (node: Tainted): readonly string[] =>
    (node.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort();
  t.note('born with', shown(born.json));
  // By name: on the way it bears as many of others.
  const isSo = (node: Tainted | undefined): boolean => node !== undefined && `${shown(node)}` === `${kept}`;
  const told = await t.until(path, isSo);
  t.note('keeps', shown(told.json));
}

export const nodes: readonly Case[] = [
  {
    says: 'a Node that has not reported anything yet is kept free of taints: nobody knows anything of it',
    steps: t => taintsOf(t, []),
  },
  {
    says: 'a Node of which only pressure is known bears the taint of that',
    steps: t =>
      taintsOf(
        t,
        [{ type: 'DiskPressure', status: 'True', reason: 'x', message: 'x' }],
        `${TAINT}/disk-pressure:NoSchedule`,
      ),
  },
  {
    says: 'a Node that says that it is not ready bears both taints of that',
    steps: t =>
      taintsOf(
        t,
        [{ type: 'Ready', status: 'False', reason: 'x', message: 'x' }],
        `${TAINT}/not-ready:NoExecute`,
        `${TAINT}/not-ready:NoSchedule`,
      ),
  },
  {
    says: 'a Node of which nothing is known any more bears both taints of that',
    steps: t =>
      taintsOf(
        t,
        [{ type: 'Ready', status: 'Unknown', reason: 'x', message: 'x' }],
        `${TAINT}/unreachable:NoExecute`,
        `${TAINT}/unreachable:NoSchedule`,
      ),
  },
  {
    says: 'a new Node is not ready until somebody has seen it so',
    steps: async t => {
      const { name, path } = ownNode(t);
      const capacity = { cpu: '4', memory: '8Gi', pods: '110' };
      const body = {
        metadata: { name },
        spec: { podCIDR: '10.9.0.0/24' },
        status: { capacity, allocatable: capacity },
      };
      await t.post('/api/v1/nodes', body);
      await t.patch(path, MERGE, { spec: { podCIDR: '10.10.0.0/24' } });
      const headers = { 'content-type': `application/${MERGE}` };
      await t.quietly({ method: 'PATCH', path, headers, body: { spec: { providerID: 'sim://1' } } });
      await t.patch(path, MERGE, { spec: { providerID: 'sim://2' } });
      await t.patch(path, MERGE, { spec: { providerID: null } });
    },
  },
  {
    says: 'a Node that is cordoned bears the taint',
    steps: async t => {
      const { name, path } = ownNode(t);
      const condition = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'it is' };
      await t.quietly({
        method: 'POST',
        path: '/api/v1/nodes',
        body: { metadata: { name }, status: { conditions: [condition] } },
      });
      await t.quietly({
        method: 'PATCH',
        path,
        headers: { 'content-type': `application/${MERGE}` },
        body: { spec: { unschedulable: true } },
      });
      const isTainted = (node: { spec?: { taints?: { key: string }[] } } | undefined): boolean =>
        node?.spec?.taints?.length === 1 && node.spec.taints[0]?.key === 'node.kubernetes.io/unschedulable';
      const { json } = await t.quietly({ method: 'GET', path });
      t.note('unschedulable', json.spec?.unschedulable);
      const told = await t.until(path, isTainted);
      t.note('taints', told.json.spec.taints);
    },
  },
  {
    says: 'the status of a Node is written by itself, lists by their keys',
    steps: async t => {
      const { name, path } = ownNode(t);
      await t.quietly({
        method: 'POST',
        path: '/api/v1/nodes',
        body: { metadata: { name, labels: { role: 'test' } } },
      });
      const strategic = 'strategic-merge-patch+json';
      const ready = { type: 'Custom', status: 'True' };
      const addresses = [{ type: 'InternalIP', address: '192.0.2.1' }];
      // The lifecycle controller taints the Node meanwhile: only what was written is looked at.
      const told = async (how: string, body: object): Promise<void> => {
        const headers = { 'content-type': `application/${how}` };
        const { status, json } = await t.quietly({ method: 'PATCH', path: `${path}/status`, headers, body });
        const { podCIDR } = json.spec ?? {};
        t.note(JSON.stringify(body).replaceAll(name, 'n'), {
          code: status,
          written: json.status?.addresses,
          conditions: json.status?.conditions?.length,
          podCIDR,
          causes: json.details?.causes?.map(({ field, reason }: Record<string, string>) => ({ field, reason })),
        });
      };
      await told(strategic, { status: { conditions: [ready], addresses } });
      const more = [{ type: 'Hostname', address: name }];
      await told(strategic, { status: { addresses: more }, spec: { podCIDR: '10.9.0.0/24' } });
      await told(MERGE, { status: { capacity: { cpu: '-1' } } });
    },
  },
  {
    says: 'a Node with taints or addresses that make no sense is refused',
    steps: async t => {
      const { name } = ownNode(t);
      const taints = [
        { key: 'a b', effect: 'NoSchedule' },
        { key: 'a', effect: 'Sometimes' },
        { key: 'twice', effect: 'NoExecute' },
        { key: 'twice', effect: 'NoExecute', value: 'x' },
      ];
      await t.post('/api/v1/nodes', { metadata: { name }, spec: { taints, podCIDRs: ['10.9.0.0/24', '10.8.0.0/24'] } });
      await t.post('/api/v1/nodes', { metadata: { name }, spec: { podCIDR: 'everywhere' } });
      await t.post('/api/v1/nodes', { metadata: { name: 'Not_A_Name' } });
    },
  },
  {
    says: 'a Lease is renewed under its lock, to the microsecond',
    steps: async t => {
      const path = await t.in('leases', LEASES);
      const renewTime = '2026-01-02T03:04:05.123456Z';
      const spec = {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        renewTime,
        acquireTime: renewTime,
        leaseTransitions: 0,
      };
      const { json } = await t.post(path, { metadata: { name: 'l' }, spec });
      t.note('kept', json.spec?.renewTime === renewTime);
      await t.put(`${path}/l`, { metadata: { name: 'l' }, spec: { ...spec, holderIdentity: 'b' } });
      await t.put(`${path}/l`, { ...json, spec: { ...spec, holderIdentity: 'b', leaseTransitions: 1 } });
      await t.put(`${path}/l`, { ...json, spec });
      await t.patch(`${path}/l`, MERGE, { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } });
      await t.patch(`${path}/l`, MERGE, { spec: { strategy: 'Eldest', preferredHolder: 'c' } });
      await t.put(`${path}/fresh`, { metadata: { name: 'fresh' }, spec });
    },
  },
  {
    says: 'an Event of the older group is read in the newer one and back',
    steps: async t => {
      const old = await t.in('events');
      const next = await t.in('events', EVENTS);
      const involvedObject = { kind: 'Pod', namespace: t.ns, name: 'p', apiVersion: 'v1' };
      const times = { firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:01:00Z', count: 2 };
      const body = {
        metadata: { name: 'o' },
        involvedObject,
        reason: 'Tried',
        message: 'it tried',
        type: 'Warning',
        ...times,
      };
      await t.post(old, { ...body, source: { component: 'tester', host: 'here' } });
      await t.get(`${next}/o`);
      const eventTime = '2026-01-01T00:00:00.000001Z';
      const newer = { metadata: { name: 'n' }, regarding: involvedObject, eventTime, type: 'Normal', reason: 'Did' };
      await t.post(next, {
        ...newer,
        note: 'it did',
        action: 'Do',
        reportingController: 'example.com/t',
        reportingInstance: 't-1',
      });
      await t.get(`${old}/n`);
    },
  },
  {
    says: 'the series of an Event of the newer group goes on',
    steps: async t => {
      const path = await t.in('events', EVENTS);
      const regarding = { kind: 'Pod', namespace: t.ns, name: 'p', apiVersion: 'v1' };
      const who = {
        reportingController: 'example.com/t',
        reportingInstance: 't-1',
        action: 'Do',
        reason: 'Did',
        type: 'Normal',
      };
      const eventTime = '2026-01-01T00:00:00.000000Z';
      await t.post(path, { metadata: { name: 'e' }, regarding, eventTime, ...who });
      const series = { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' };
      await t.patch(`${path}/e`, MERGE, { series });
    },
  },
  {
    says: 'Events are found by what they are about',
    steps: async t => {
      const path = await t.in('events');
      for (const [name, reason] of [
        ['p', 'Started'],
        ['q', 'Stopped'],
      ]) {
        const involvedObject = { kind: 'Pod', namespace: t.ns, name, uid: `uid-${name}` };
        const body = {
          metadata: { name: `e-${name}` },
          involvedObject,
          reason,
          type: 'Normal',
          source: { component: 'c' },
        };
        await t.quietly({ method: 'POST', path, body });
      }
      for (const selector of [
        'involvedObject.name=p',
        'involvedObject.kind=Pod,reason=Stopped',
        'involvedObject.uid=uid-q,type=Normal',
        'source=c,reportingComponent=',
        'involvedObject.fieldPath=',
        'message=x',
      ]) {
        const { json } = await t.quietly({
          method: 'GET',
          path: `${path}?fieldSelector=${encodeURIComponent(selector)}`,
        });
        t.note(selector, json.items?.map((each: { metadata: { name: string } }) => each.metadata.name) ?? json);
      }
    },
  },
  {
    says: 'an Event lies in the Namespace of what it is about',
    steps: async t => {
      const path = await t.in('events');
      await t.post(path, { metadata: { name: 'a' }, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' } });
      await t.post(path, { metadata: { name: 'b' }, involvedObject: { kind: 'Node', name: 'n' } });
      await t.post(path, { metadata: { name: 'c' }, involvedObject: { kind: 'Pod', namespace: t.ns, name: 'p' } });
      await t.put(`${path}/d`, {
        metadata: { name: 'd' },
        involvedObject: { kind: 'Pod', namespace: t.ns, name: 'p' },
      });
    },
  },
];
