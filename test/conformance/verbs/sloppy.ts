// What hurried clients send: bodies that are none, of another kind or name, managers that are too long, odd deadlines.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const map = (name: string, more: object = {}): object => ({ metadata: { name }, data: { k: 'v' }, ...more });
const MERGE = { 'content-type': 'application/merge-patch+json' };

type Verb = 'PATCH' | 'PUT' | 'POST';

const sent = (t: Trial, method: Verb, maps: string, body: string): Promise<unknown> => {
  const path = method === 'POST' ? maps : `${maps}/a`;
  return t.send({ method, path: `${path}?dryRun=All`, body, headers: method === 'PATCH' ? MERGE : {} });
};

/** Each body by each verb that takes one, on a ConfigMap that is there. */
const byEachVerb =
  (bodies: readonly string[], verbs: readonly Verb[] = ['POST', 'PUT', 'PATCH']) =>
  async (t: Trial): Promise<void> => {
    const maps = await t.in('configmaps');
    await t.quietly({ method: 'POST', path: maps, body: map('a') });
    for (const body of bodies) for (const verb of verbs) await sent(t, verb, maps, body);
  };

export const sloppy: readonly Case[] = [
  {
    says: 'sloppy clients: a body that is no object is refused by each verb in its words',
    steps: byEachVerb(['[]', 'null', '1', '"x"', '{', '{}}', '{} {}', '{}x', ' ', '\n']),
  },
  {
    says: 'sloppy clients: what follows the object is told of, and what is in it twice is warned of',
    steps: byEachVerb(
      [
        '{"metadata":{"name":"n"}}garbage',
        '{"metadata":{"name":"n"},"metadata":{"name":"m"}}',
        '{"data":{"a":"1","a":"2"},"metadata":{"name":"n"}}',
        '{"METADATA":{"NAME":"n"}}',
        '{"data":[]}',
      ],
      ['POST', 'PUT'],
    ),
  },
  {
    says: 'sloppy clients: a body of another kind or version is refused',
    steps: byEachVerb(
      [
        '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"n"}}',
        '{"kind":"ConfigMap","apiVersion":"v2","metadata":{"name":"n"}}',
        '{"kind":"configmap","apiVersion":"v1","metadata":{"name":"n"}}',
        '{"kind":"ConfigMapList","apiVersion":"v1","items":[]}',
        '{"kind":"List","apiVersion":"v1","items":[]}',
        '{"kind":"Status","apiVersion":"v1"}',
        '{"kind":"DeleteOptions","apiVersion":"v1"}',
        '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"n"}}',
      ],
      ['POST', 'PUT'],
    ),
  },
  {
    says: 'sloppy clients: a body of another name or namespace is refused',
    steps: byEachVerb([
      '{"metadata":{"name":"other"}}',
      '{"metadata":{"name":"a","namespace":"other"}}',
      '{"metadata":{"name":"a","namespace":""}}',
      '{"metadata":{"name":""}}',
      '{"metadata":{}}',
      '{"metadata":null}',
    ]),
  },
  {
    says: 'sloppy clients: nobody reads a patch of what is not there, but its type',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.patch(`${maps}/gone`, 'merge-patch+json', '{bad');
      await t.patch(`${maps}/gone`, 'merge-patch+json', '[]');
      await t.patch(`${maps}/gone`, 'json-patch+json', '{}');
      await t.patch(`${maps}/gone`, 'strategic-merge-patch+json', '1');
      await t.patch(`${maps}/gone`, 'nonsense', '{}');
      await t.patch(`${maps}/gone?force=true`, 'merge-patch+json', '{bad');
      await t.patch(maps, 'merge-patch+json', '{bad');
    },
  },
  {
    says: 'sloppy clients: the name of a manager is bounded by its bytes',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: map('a') });
      for (const manager of ['é'.repeat(64), 'é'.repeat(65), 'x'.repeat(129), 'a%0Ab']) {
        await t.post(`${maps}?dryRun=All&fieldManager=${manager}`, map('n'));
        await t.put(`${maps}/a?dryRun=All&fieldManager=${manager}`, map('a'));
        await t.patch(`${maps}/a?dryRun=All&fieldManager=${manager}`, 'merge-patch+json', { data: { z: '1' } });
        await t.patch(`${maps}/a?dryRun=All&fieldManager=${manager}`, 'apply-patch+yaml', map('a'));
      }
    },
  },
  {
    says: 'sloppy clients: a deadline that is none is refused before anything else',
    steps: async t => {
      const maps = await t.in('configmaps');
      const odd = ['x', '1', '1d', '1s2', '1.5', '.s', '10000000000h', '%20', '-', '+', '-x', '1h1', 's', '1µ'];
      for (const timeout of odd) await t.get(`${maps}/gone?timeout=${timeout}`);
      for (const timeout of ['1s', '0', '-1s', '1.5s', '1h30m', '500ms', '', '.5s', '1s&timeout=x'])
        await t.get(`${maps}/gone?timeout=${timeout}`);
      await t.post(`${maps}?timeout=x&dryRun=All`, map('n'));
      await t.delete(`${maps}?timeout=x`);
      await t.get(`${maps}?timeout=x`, { as: { user: 'nobody' } });
      for (const path of ['/version', '/healthz', '/nonsense']) await t.get(`${path}?timeout=x`);
    },
  },
  {
    says: 'sloppy clients: discovery is not made into anything else',
    steps: async t => {
      const accepted = [
        'text/plain',
        'image/png',
        'application/*',
        'nonsense',
        'application/json;as=Table;v=v1;g=meta.k8s.io',
        'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      ];
      for (const path of ['/api/v1', '/apis/apps/v1', '/apis/apps'])
        for (const accept of accepted) {
          const { status, json } = await t.quietly({ method: 'GET', path, headers: { accept } });
          t.note(`${path} as ${accept}`, [status, json?.kind, json?.message]);
        }
    },
  },
];
