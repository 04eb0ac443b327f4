// Bodies that cannot be the object of their path.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const posted = async (t: Trial, ...bodies: unknown[]): Promise<void> => {
  const maps = await t.in('configmaps');
  for (const body of bodies) await t.post(maps, body);
};

export const bodies: readonly Case[] = [
  {
    says: 'a body of another kind is refused by both names',
    steps: t =>
      posted(
        t,
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
        { apiVersion: 'v1', kind: 'Nonsense', metadata: { name: 'a' } },
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } },
      ),
  },
  {
    says: 'a body of another version is refused',
    steps: async t => {
      await posted(t, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } });
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.post(deployments, { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'a' } });
      await t.post(deployments, { apiVersion: 'extensions/v1beta1', kind: 'Deployment', metadata: { name: 'a' } });
    },
  },
  {
    says: 'a built-in object may leave out its kind, its version, or both',
    steps: t =>
      posted(
        t,
        { metadata: { name: 'a' } },
        { kind: 'ConfigMap', metadata: { name: 'b' } },
        { apiVersion: 'v1', metadata: { name: 'c' } },
      ),
  },
  {
    says: 'a custom object must say its kind and version',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.post(path, { metadata: { name: 'a' } });
      await t.post(path, { metadata: { name: 'a-name-of-some-length' }, apiVersion: api });
      await t.post(path, { kind: 'Widget', metadata: { name: 'a' } });
      await t.post(path, { apiVersion: api, kind: 'Gadget', metadata: { name: 'a' } });
      await t.post(path, { apiVersion: `${api}beta1`, kind: 'Widget', metadata: { name: 'a' } });
    },
  },
  {
    says: 'a body that is no JSON is refused',
    steps: t => posted(t, '{"metadata":', 'nonsense', '{"metadata":{"name":"a",}}', "{'a':1}", '{"a":1}}'),
  },
  {
    says: 'an empty body is refused',
    steps: t => posted(t, '', ' '),
  },
  {
    says: 'a body that is no object is refused',
    steps: t => posted(t, '[]', '"text"', '5', 'null', 'true'),
  },
  {
    says: 'a kind or a version that is no string is refused',
    steps: t => posted(t, { kind: 5, apiVersion: 'v1' }, { kind: 'ConfigMap', apiVersion: ['v1'] }),
  },
  {
    says: 'metadata of the wrong type is refused',
    steps: t => posted(t, { metadata: 'a' }, { metadata: [] }, { metadata: null }, { metadata: { name: 5 } }),
  },
  {
    says: 'a field of the wrong type is refused with its place',
    steps: async t => {
      await posted(t, { metadata: { name: 'a' }, data: 'text' }, { metadata: { name: 'a' }, data: { a: 5 } });
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.post(deployments, { metadata: { name: 'a' }, spec: { replicas: 'three' } });
      await t.post(deployments, { metadata: { name: 'a' }, spec: { template: { spec: { containers: {} } } } });
      await t.post(deployments, { metadata: { name: 'a' }, spec: { replicas: 1.5 } });
    },
  },
  {
    says: 'a time that is none is refused',
    steps: t => posted(t, { metadata: { name: 'a', creationTimestamp: 'yesterday' } }),
  },
  {
    says: 'a quantity that is none is refused',
    steps: async t => {
      const claims = await t.in('persistentvolumeclaims');
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: 'much' } } };
      await t.post(claims, { metadata: { name: 'a' }, spec });
    },
  },
  {
    says: 'binary data that is no base64 is refused',
    steps: async t => {
      await t.post(await t.in('secrets'), { metadata: { name: 'a' }, data: { a: '***' } });
      await posted(t, { metadata: { name: 'a' }, binaryData: { a: 'YQ=' } });
    },
  },
  {
    says: 'a body of an unknown media type is refused with the known ones',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, '{"metadata":{"name":"a"}}', { headers: { 'content-type': 'text/plain' } });
      await t.post(maps, '{"metadata":{"name":"b"}}', {
        headers: { 'content-type': 'application/json; charset=utf-8' },
      });
    },
  },
  {
    says: 'a body above 3 MiB is refused unread, an object above the store bound after reading',
    steps: async t => {
      await posted(t, { metadata: { name: 'a' }, data: { a: 'x'.repeat(3_145_728) } });
      const { path, api } = await widgets(t, {});
      await t.post(path, {
        apiVersion: api,
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { a: 'x'.repeat(1_600_000) },
      });
    },
  },
  {
    says: 'a ConfigMap holds at most 1 MiB of well-named data',
    steps: async t => {
      await posted(
        t,
        { metadata: { name: 'a' }, data: { a: 'x'.repeat(1_048_577) } },
        { metadata: { name: 'a' }, data: { 'a b': '' } },
        { metadata: { name: 'a' }, data: { '..x': '' } },
        { metadata: { name: 'a' }, data: { ['k'.repeat(254)]: '' } },
        { metadata: { name: 'a' }, data: { a: '' }, binaryData: { a: '' } },
      );
    },
  },
];
