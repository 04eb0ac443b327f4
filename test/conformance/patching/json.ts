// JSON patches (RFC 6902) and JSON merge patches (RFC 7386).

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const MAP = { metadata: { name: 'a', labels: { one: '1', two: '2' } }, data: { key: 'value', other: 'thing' } };

/** A ConfigMap to patch; its path. */
async function mapOf(t: Trial, body: unknown = MAP): Promise<string> {
  const path = await t.in('configmaps');
  await t.quietly({ method: 'POST', path, body });
  return `${path}/a`;
}

interface Row {
  readonly says: string;
  readonly patches: readonly unknown[];
}

const JSON_PATCHES: readonly Row[] = [
  { says: 'a JSON patch adds a key', patches: [[{ op: 'add', path: '/data/new', value: 'x' }]] },
  { says: 'a JSON patch adds over a key that is there', patches: [[{ op: 'add', path: '/data/key', value: 'x' }]] },
  {
    says: 'a JSON patch removes, replaces, moves and copies',
    patches: [
      [
        { op: 'remove', path: '/data/key' },
        { op: 'replace', path: '/data/other', value: 'x' },
        { op: 'copy', from: '/data/other', path: '/data/copied' },
        { op: 'move', from: '/data/other', path: '/data/moved' },
      ],
    ],
  },
  {
    says: 'a JSON patch whose test holds goes on, and one whose test fails changes nothing',
    patches: [
      [
        { op: 'test', path: '/data/key', value: 'value' },
        { op: 'replace', path: '/data/key', value: 'tested' },
      ],
      [
        { op: 'replace', path: '/data/key', value: 'lost' },
        { op: 'test', path: '/data/key', value: 'never' },
      ],
      [],
    ],
  },
  {
    says: 'a JSON patch that removes or replaces what is not there is refused',
    patches: [
      [{ op: 'remove', path: '/data/absent' }],
      [{ op: 'replace', path: '/data/absent', value: 'x' }],
      [{ op: 'add', path: '/data/absent/deeper', value: 'x' }],
    ],
  },
  {
    says: 'a JSON patch may name keys with ~1 and ~0',
    patches: [
      [{ op: 'add', path: '/metadata/annotations', value: { 'a/b': '1', 'c~d': '2' } }],
      [{ op: 'replace', path: '/metadata/annotations/a~1b', value: '3' }],
      [{ op: 'remove', path: '/metadata/annotations/c~0d' }],
    ],
  },
  {
    says: 'a JSON patch with an unknown operation is refused',
    patches: [[{ op: 'spoil', path: '/data/key' }]],
  },
  { says: 'a JSON patch that is an object is refused', patches: [{ op: 'add', path: '/data/new', value: 'x' }] },
  { says: 'a JSON patch that is not JSON is refused', patches: ['[{'] },
  {
    says: 'a JSON patch cannot change the name, the namespace or the uid',
    patches: [
      [{ op: 'replace', path: '/metadata/name', value: 'b' }],
      [{ op: 'replace', path: '/metadata/namespace', value: 'elsewhere' }],
      [{ op: 'replace', path: '/metadata/uid', value: '00000000-0000-0000-0000-000000000000' }],
    ],
  },
  {
    says: 'a JSON patch that makes a value of the wrong type is refused',
    patches: [[{ op: 'replace', path: '/data/key', value: 5 }], [{ op: 'replace', path: '/data', value: ['x'] }]],
  },
  {
    says: 'a JSON patch of lists counts from zero, and - is the end',
    patches: [
      [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/a', 'example.com/c'] }],
      [{ op: 'add', path: '/metadata/finalizers/1', value: 'example.com/b' }],
      [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/d' }],
      [{ op: 'remove', path: '/metadata/finalizers/9' }],
      [{ op: 'remove', path: '/metadata/finalizers' }],
    ],
  },
];

const MERGE_PATCHES: readonly Row[] = [
  { says: 'a merge patch sets keys and null removes them', patches: [{ data: { key: null, fresh: 'x' } }] },
  { says: 'a merge patch of null for what is not there changes nothing', patches: [{ data: { absent: null } }] },
  { says: 'a merge patch that changes nothing keeps the resourceVersion', patches: [{ data: { key: 'value' } }, {}] },
  {
    says: 'a merge patch replaces lists whole',
    patches: [
      { metadata: { finalizers: ['example.com/a', 'example.com/b'] } },
      { metadata: { finalizers: ['example.com/c'] } },
      { metadata: { finalizers: null } },
    ],
  },
  {
    says: 'a merge patch with a resourceVersion that is not the current one conflicts',
    patches: [{ metadata: { resourceVersion: '1' }, data: { key: 'x' } }],
  },
  { says: 'a merge patch that is no object is refused', patches: ['[]', '"text"', '5'] },
  { says: 'a merge patch that is not JSON is refused', patches: ['{"data":'] },
  {
    says: 'a merge patch cannot change kind, apiVersion or name',
    patches: [{ kind: 'Unknown' }, { apiVersion: 'v2' }, { metadata: { name: 'b' } }],
  },
  {
    says: 'a merge patch cannot set system metadata',
    patches: [
      { metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } },
      { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } },
      { metadata: { generation: 7, selfLink: '/x' } },
    ],
  },
  { says: 'a merge patch of labels is held to their syntax', patches: [{ metadata: { labels: { 'a b': 'x y' } } }] },
  { says: 'a merge patch of a null body keeps the object', patches: ['null'] },
];

const rowCase =
  (how: string) =>
  ({ says, patches }: Row): Case => ({
    says,
    steps: async t => {
      const path = await mapOf(t);
      for (const patch of patches) await t.patch(path, how, patch);
    },
  });

const AROUND: readonly Case[] = [
  {
    says: 'a patch of an object that is not there answers 404',
    steps: async t => {
      const path = await t.in('configmaps');
      await t.patch(`${path}/absent`, 'merge-patch+json', { data: {} });
      await t.patch(`${path}/absent`, 'json-patch+json', []);
      await t.patch(`${path}/absent`, 'strategic-merge-patch+json', { data: {} });
    },
  },
  {
    says: 'a patch of an unknown media type answers 415',
    steps: async t => {
      const path = await mapOf(t);
      await t.patch(path, 'json', { data: {} });
      await t.patch(path, 'x-patch', { data: {} });
      await t.send({ method: 'PATCH', path, body: '{}', headers: { 'content-type': '' } });
    },
  },
  {
    says: 'a patch of a collection answers 405',
    steps: async t => {
      await t.patch(await t.in('configmaps'), 'merge-patch+json', {});
    },
  },
  {
    says: 'a patch under dryRun answers what would be and changes nothing',
    steps: async t => {
      const path = await mapOf(t);
      await t.patch(`${path}?dryRun=All`, 'merge-patch+json', { data: { key: 'dry' } });
      await t.patch(`${path}?dryRun=Some`, 'merge-patch+json', { data: { key: 'dry' } });
      await t.get(path);
    },
  },
  {
    says: 'a patch with unknown fields warns, refuses or is silent as fieldValidation says',
    steps: async t => {
      const path = await mapOf(t);
      for (const how of ['merge-patch+json', 'strategic-merge-patch+json']) {
        for (const level of ['Strict', 'Warn', 'Ignore', 'Other']) {
          await t.patch(`${path}?fieldValidation=${level}`, how, { spec: { brand: 'new' }, data: { k: level } });
        }
      }
      await t.patch(`${path}?fieldValidation=Strict`, 'json-patch+json', [{ op: 'add', path: '/brand', value: 1 }]);
    },
  },
  {
    says: 'a patch of status leaves the spec, and a patch of the object leaves status',
    steps: async t => {
      const pods = await t.in('pods');
      await t.until(`${await t.in('serviceaccounts')}/default`, account => account !== undefined);
      const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      await t.quietly({ method: 'POST', path: pods, body: pod });
      await t.patch(`${pods}/a/status`, 'merge-patch+json', {
        metadata: { labels: { from: 'status' } },
        spec: { activeDeadlineSeconds: 5 },
        status: { phase: 'Running', message: 'set' },
      });
      await t.patch(`${pods}/a`, 'merge-patch+json', {
        metadata: { labels: { from: 'spec' } },
        spec: { activeDeadlineSeconds: 9 },
        status: { phase: 'Failed' },
      });
    },
  },
  {
    says: 'a patch that leaves an object invalid answers 422 with every cause',
    steps: async t => {
      const services = await t.in('services');
      const body = { metadata: { name: 'a' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } };
      await t.quietly({ method: 'POST', path: services, body });
      await t.patch(`${services}/a`, 'merge-patch+json', { spec: { ports: [{ port: 99999 }, { port: 80 }] } });
    },
  },
];

export const jsonPatches: readonly Case[] = [
  ...JSON_PATCHES.map(rowCase('json-patch+json')),
  ...MERGE_PATCHES.map(rowCase('merge-patch+json')),
  ...AROUND,
];
