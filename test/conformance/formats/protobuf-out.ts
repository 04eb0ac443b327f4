// Protobuf out: each built-in kind as every client-go program reads it.

import { isDeepStrictEqual } from 'node:util';
import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { KINDS } from './kinds.ts';
import { acceptProtobuf, PROTOBUF, sendProtobuf } from './prepared.ts';

/** Controllers may write meanwhile. */
const unversioned = { metadata: undefined };

/** Creates as JSON, reads as protobuf; cluster-scoped ones under a name of the case's own. */
async function inProtobuf(t: Trial, { api, plural, body, clusterWide }: (typeof KINDS)[number]): Promise<void> {
  const name = clusterWide ? (body.metadata?.name ?? t.own('one')) : 'a';
  const collection = clusterWide ? `${api}/${plural}` : await t.in(plural, api);
  const about =
    plural === 'events' ? { involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec', namespace: t.ns } } : {};
  const object = { ...body, ...about, metadata: { ...body.metadata, name } };
  if (clusterWide) t.after(() => t.quietly({ method: 'DELETE', path: `${collection}/${name}` }));
  if (plural === 'pods') await podsIn(t);
  const made = await t.quietly({ method: 'POST', path: collection, body: object });
  if (made.status !== 201) throw new Error(made.body.toString());
  const path = `${collection}/${name}`;
  // A controller of both grounds writes its status.
  if (plural === 'poddisruptionbudgets') await t.until(path, object => object?.status.observedGeneration === 1);
  const { body: bytes } = await t.get(path, acceptProtobuf);
  // What is read can be written back, and changes nothing: also zeros that are more than nothing are on the wire.
  const before = await t.quietly({ method: 'GET', path });
  const { status } = await t.quietly({ method: 'PUT', path, body: bytes, ...sendProtobuf });
  const after = await t.quietly({ method: 'GET', path });
  t.note('written back', [
    status,
    isDeepStrictEqual({ ...before.json, ...unversioned }, { ...after.json, ...unversioned }),
  ]);
}

const oneByOne: readonly Case[] = KINDS.map(kind => ({
  says: `${kind.kind} of ${kind.api} in protobuf`,
  steps: t => inProtobuf(t, kind),
}));

export const protobufOut: readonly Case[] = [
  ...oneByOne,
  {
    says: 'a list in protobuf, and an empty one',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const name of ['a', 'b']) await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name } } });
      await t.get(secrets, acceptProtobuf);
      await t.get(`${await t.in('leases', '/apis/coordination.k8s.io/v1')}`, acceptProtobuf);
    },
  },
  {
    says: 'what is created, changed and deleted is answered in protobuf',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.post(secrets, { metadata: { name: 'a' }, stringData: { key: 'value' } }, acceptProtobuf);
      await t.patch(`${secrets}/a`, 'merge-patch+json', { metadata: { labels: { is: 'changed' } } }, acceptProtobuf);
      await t.delete(`${secrets}/a`, undefined, acceptProtobuf);
    },
  },
  {
    says: 'refusals in protobuf are a Status',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(`${secrets}/none`, acceptProtobuf);
      await t.post(secrets, { metadata: { name: 'A_B' } }, acceptProtobuf);
      await t.get(`${secrets}?limit=ten`, acceptProtobuf);
      await t.get(`${secrets}?resourceVersion=900000000000`, acceptProtobuf);
    },
  },
  {
    says: 'metadata alone in protobuf',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 'a', labels: { is: 'a' } } } });
      const as = (what: string): { headers: Record<string, string> } => ({
        headers: { accept: `${PROTOBUF};as=${what};v=v1;g=meta.k8s.io` },
      });
      await t.get(`${secrets}/a`, as('PartialObjectMetadata'));
      await t.get(secrets, as('PartialObjectMetadataList'));
      await t.get(secrets, as('Table'));
    },
  },
  {
    says: 'custom kinds have no protobuf',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } } });
      await t.get(`${path}/a`, acceptProtobuf);
      await t.get(path, acceptProtobuf);
      await t.get(`${path}/a`, { headers: { accept: `${PROTOBUF},application/json` } });
      await t.get(path, { headers: { accept: `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io` } });
      await t.get(`${path}/none`, acceptProtobuf);
    },
  },
  {
    says: 'subresources in protobuf: a Scale, a token, a review of access',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { selector: { matchLabels: { app: 'a' } }, template };
      await t.quietly({ method: 'POST', path: deployments, body: { metadata: { name: 'a' }, spec } });
      await t.get(`${deployments}/a/scale`, acceptProtobuf);
      const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
      await t.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review, acceptProtobuf);
      await t.post(
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        {},
        { ...acceptProtobuf, as: { user: 'jane' } },
      );
    },
  },
  {
    says: 'an eviction and a binding answer a Status in protobuf',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const binding = { metadata: { name: 'a' }, target: { kind: 'Node', name: 'nowhere' } };
      await t.post(`${pods}/a/binding`, binding, acceptProtobuf);
      await t.post(`${pods}/a/eviction`, { metadata: { name: 'a' } }, acceptProtobuf);
    },
  },
];
