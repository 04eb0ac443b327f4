// Protobuf in: what client-go and kubectl send, written here by field number, and bytes that are no such thing.

import { parse } from 'yaml';
import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { acceptProtobuf, enveloped, message, PROTOBUF, sendProtobuf, YAML } from './prepared.ts';

const named = (name: string): Buffer => message([1, name]);
const configMap = (name: string, ...data: readonly [string, string][]): Buffer =>
  enveloped(
    'v1',
    'ConfigMap',
    message([1, named(name)], ...data.map(([key, value]) => [2, message([1, key], [2, value])] as const)),
  );

/** Reads an object as protobuf, changes a word of it for one of the same length, and sends it back. */
async function changedOnTheWire(t: Trial, path: string, from: string, to: string): Promise<void> {
  const told = await t.quietly({ method: 'GET', path, ...acceptProtobuf });
  const at = told.body.indexOf(from);
  if (at < 0 || from.length !== to.length) throw new Error(`no ${from} in ${told.body.toString()}`);
  const changed = Buffer.concat([told.body.subarray(0, at), Buffer.from(to), told.body.subarray(at + to.length)]);
  await t.put(path, changed, sendProtobuf);
}

export const protobufIn: readonly Case[] = [
  {
    says: 'a ConfigMap is created from protobuf',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, configMap('a', ['key', 'value'], ['other', '']), sendProtobuf);
      await t.post(maps, configMap('b'), { headers: { 'content-type': PROTOBUF, accept: PROTOBUF } });
    },
  },
  {
    says: 'a ServiceAccount, a Namespace and a RoleBinding are created from protobuf',
    steps: async t => {
      await t.post(
        await t.in('serviceaccounts'),
        enveloped('v1', 'ServiceAccount', message([1, named('a')])),
        sendProtobuf,
      );
      const own = t.own('ns');
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/namespaces/${own}` }));
      await t.post('/api/v1/namespaces', enveloped('v1', 'Namespace', message([1, named(own)])), sendProtobuf);
      const group = 'rbac.authorization.k8s.io';
      const subject = message([1, 'ServiceAccount'], [2, ''], [3, 'a'], [4, 'default']);
      const role = message([1, group], [2, 'ClusterRole'], [3, 'view']);
      const binding = message([1, named('a')], [2, subject], [3, role]);
      const path = await t.in('rolebindings', `/apis/${group}/v1`);
      await t.post(path, enveloped(`${group}/v1`, 'RoleBinding', binding), sendProtobuf);
    },
  },
  {
    says: 'a Deployment is created from protobuf',
    steps: async t => {
      const container = message([1, 'c'], [2, 'i'], [6, message([1, 'web'], [3, 80])]);
      const template = message([1, message([11, message([1, 'app'], [2, 'a'])])], [2, message([2, container])]);
      const selector = message([1, message([1, 'app'], [2, 'a'])]);
      const spec = message([1, 2], [2, selector], [3, template]);
      const deployment = enveloped('apps/v1', 'Deployment', message([1, named('a')], [2, spec]));
      await t.post(await t.in('deployments', '/apis/apps/v1'), deployment, sendProtobuf);
    },
  },
  {
    says: 'a token is asked for, and access is reviewed, in protobuf',
    steps: async t => {
      await podsIn(t);
      const request = enveloped('authentication.k8s.io/v1', 'TokenRequest', message([2, message([4, 3600])]));
      const accounts = await t.in('serviceaccounts');
      const told = await t.quietly({
        method: 'POST',
        path: `${accounts}/default/token`,
        body: request,
        ...sendProtobuf,
      });
      t.note('lifetime', [told.status, told.json?.spec?.expirationSeconds, typeof told.json?.status?.token]);
      const attributes = message([1, 'default'], [2, 'get'], [4, 'v1'], [5, 'pods']);
      const review = message([2, message([1, attributes])]);
      const kind = enveloped('authorization.k8s.io/v1', 'SelfSubjectAccessReview', review);
      await t.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', kind, sendProtobuf);
    },
  },
  {
    says: 'options of a deletion in protobuf are obeyed',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const name of ['a', 'b']) await t.quietly({ method: 'POST', path: maps, body: { metadata: { name } } });
      const wrong = enveloped('v1', 'DeleteOptions', message([2, message([1, 'not-its-uid'])]));
      await t.delete(`${maps}/a`, wrong, sendProtobuf);
      await t.delete(`${maps}/a`, enveloped('v1', 'DeleteOptions', message([4, 'Background'])), sendProtobuf);
      await t.delete(`${maps}/b`, enveloped('v1', 'DeleteOptions', message([4, 'Sideways'])), sendProtobuf);
    },
  },
  {
    says: 'objects are changed on the wire: what a client does not know goes back as it came',
    steps: async t => {
      const pods = await podsIn(t);
      const labels = { is: 'before' };
      await t.quietly({ method: 'POST', path: pods, body: aPod('a', { nodeSelector: { zone: 'z' } }, { labels }) });
      await changedOnTheWire(t, `${pods}/a`, 'before', 'behind');
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'a Lease is renewed on the wire, micro time and all',
    steps: async t => {
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      const spec = { holderIdentity: 'first-holder', renewTime: '2026-01-02T03:04:05.678901Z', leaseTransitions: 2 };
      await t.quietly({ method: 'POST', path: leases, body: { metadata: { name: 'a' }, spec } });
      await changedOnTheWire(t, `${leases}/a`, 'first-holder', 'other-holder');
      const { json } = await t.get(`${leases}/a`);
      t.note('renewed', json.spec.renewTime.endsWith('05.678901Z'));
    },
  },
  {
    says: 'an old version in protobuf is a conflict',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' }, data: { key: 'before' } } });
      const old = await t.quietly({ method: 'GET', path: `${maps}/a`, ...acceptProtobuf });
      await t.patch(`${maps}/a`, 'merge-patch+json', { data: { key: 'meanwhile' } });
      await t.put(`${maps}/a`, old.body, sendProtobuf);
    },
  },
  {
    says: 'bytes without the envelope are refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, message([1, named('a')]), sendProtobuf);
      await t.post(maps, Buffer.from('{"metadata":{"name":"a"}}'), sendProtobuf);
      await t.post(maps, Buffer.from('k8s'), sendProtobuf);
    },
  },
  {
    says: 'a message that breaks off is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      const whole = configMap('a', ['key', 'value']);
      await t.post(maps, whole.subarray(0, whole.length - 3), sendProtobuf);
      const inside = message([1, named('a')], [2, message([1, 'key'], [2, 'value'])]);
      await t.post(maps, enveloped('v1', 'ConfigMap', inside.subarray(0, inside.length - 3)), sendProtobuf);
    },
  },
  {
    says: 'an envelope without a kind, and one of a kind that there is not',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, enveloped('', '', message([1, named('a')])), sendProtobuf);
      await t.post(maps, enveloped('v1', 'Nothing', message([1, named('b')])), sendProtobuf);
      await t.post(maps, enveloped('v2', 'ConfigMap', message([1, named('c')])), sendProtobuf);
      await t.post(maps, enveloped('v1', 'Secret', message([1, named('d')])), sendProtobuf);
    },
  },
  {
    says: 'fields that the kind does not have are passed over',
    steps: async t => {
      const maps = await t.in('configmaps');
      const body = message(
        [1, named('a')],
        [2, message([1, 'key'], [2, 'value'], [9, 'more'])],
        [99, 'unknown'],
        [98, 7],
      );
      await t.post(maps, enveloped('v1', 'ConfigMap', body), sendProtobuf);
      await t.post(
        `${maps}?fieldValidation=Strict`,
        enveloped('v1', 'ConfigMap', message([1, named('b')], [99, 'x'])),
        sendProtobuf,
      );
    },
  },
  {
    says: 'a field of another type than its own is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, enveloped('v1', 'ConfigMap', message([1, 5])), sendProtobuf);
      await t.post(maps, enveloped('v1', 'ConfigMap', message([1, named('a')], [4, 'yes'])), sendProtobuf);
    },
  },
  {
    says: 'an empty body in protobuf is refused',
    steps: async t => {
      await t.post(await t.in('configmaps'), Buffer.alloc(0), sendProtobuf);
    },
  },
  {
    says: 'a patch in protobuf is of an unknown format',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      await t.send({ method: 'PATCH', path: `${maps}/a`, body: configMap('a'), headers: { 'content-type': PROTOBUF } });
    },
  },
  {
    says: 'protobuf in and YAML out',
    steps: async t => {
      const headers = { 'content-type': PROTOBUF, accept: YAML };
      const path = await t.in('configmaps');
      const { status, body } = await t.quietly({ method: 'POST', path, body: configMap('a', ['key', 'yes']), headers });
      t.note('object', [status, parse(body.toString())]);
    },
  },
];
