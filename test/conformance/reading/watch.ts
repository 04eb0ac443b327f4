// Watching: where it starts, what it tells, and when it ends.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { label, quietSecret, secretsIn, versionOf } from './prepared.ts';

export const watching: readonly Case[] = [
  {
    says: 'a watch from a version tells each change since then, once and in order',
    steps: async t => {
      const secrets = await secretsIn(t, 'before');
      const version = await versionOf(t, secrets);
      await quietSecret(t, secrets, 'a');
      const watch = await t.watch(`${secrets}?watch=1&resourceVersion=${version}`);
      await label(t, `${secrets}/a`, { is: 'changed' });
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      const frames = await watch.frames(3);
      const versions = frames.map(frame => Number(frame.object.metadata.resourceVersion));
      t.note('in order', versions.toSorted((a, b) => a - b).join() === versions.join());
    },
  },
  {
    says: 'a watch without a version begins with all that is there',
    steps: async t => {
      const secrets = await secretsIn(t, 'b', 'a');
      await t.until(`${secrets}/a`, object => object !== undefined);
      const watch = await t.watch(`${secrets}?watch=true`);
      await watch.frames(2);
      await quietSecret(t, secrets, 'c');
      await watch.frames(1);
    },
  },
  {
    says: 'a watch from version 0 begins with all that is there',
    steps: async t => {
      const secrets = await secretsIn(t, 'b', 'a');
      await versionOf(t, secrets);
      const watch = await t.watch(`${secrets}?watch=true&resourceVersion=0`);
      await watch.frames(2);
    },
  },
  {
    says: 'a watch from what is no version is refused',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const version of ['zzz', '-1', '1.5', '99999999999999999999', '%20']) {
        await (await t.watch(`${secrets}?watch=1&timeoutSeconds=1&resourceVersion=${version}`)).toEnd();
      }
    },
  },
  {
    says: 'a watch from a version that lies ahead waits',
    steps: async t => {
      const secrets = await t.in('secrets');
      const watch = await t.watch(`${secrets}?watch=1&resourceVersion=900000000000&timeoutSeconds=2`);
      await quietSecret(t, secrets, 'a');
      await watch.toEnd();
    },
  },
  {
    says: 'a watch ends without a word when its time is up',
    steps: async t => {
      const secrets = await t.in('secrets');
      const beganMs = Date.now();
      await (await t.watch(`${secrets}?watch=1&timeoutSeconds=1`)).toEnd();
      const tookMs = Date.now() - beganMs;
      t.note('after about a second', tookMs > 700 && tookMs < 5000);
    },
  },
  {
    says: 'a watch of one object by its path, a watch by its name, and the old path are one',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const name = 'fieldSelector=metadata.name%3Da';
      await versionOf(t, secrets);
      await (await t.watch(`${secrets}/a?watch=1&timeoutSeconds=1`)).toEnd();
      await (await t.watch(`${secrets}?watch=1&timeoutSeconds=1&${name}`)).toEnd();
      const old = secrets.replace('/api/v1/', '/api/v1/watch/');
      await (await t.watch(`${old}/a?timeoutSeconds=1`)).toEnd();
      await (await t.watch(`${old}?timeoutSeconds=1`)).toEnd();
    },
  },
  {
    says: 'a watch by path of an object that is not there waits for it',
    steps: async t => {
      const secrets = await t.in('secrets');
      const watch = await t.watch(`${secrets}/later?watch=1`);
      await quietSecret(t, secrets, 'other');
      await quietSecret(t, secrets, 'later');
      await watch.frames(1);
    },
  },
  {
    says: 'a watch by path with a field selector of another name',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await versionOf(t, secrets);
      await (await t.watch(`${secrets}/a?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Db`)).toEnd();
      await (await t.watch(`${secrets}/a?watch=1&timeoutSeconds=1&fieldSelector=type%3DOpaque`)).toEnd();
    },
  },
  {
    says: 'watch=false and watch=0 list',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}?watch=false`);
      await t.get(`${secrets}?watch=0`);
    },
  },
  {
    says: 'a no-op write is not told, and a change of status is',
    steps: async t => {
      const path = await t.in('deployments', '/apis/apps/v1');
      const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { selector: { matchLabels: { app: 'a' } }, template };
      const made = await t.quietly({ method: 'POST', path, body: { metadata: { name: 'a' }, spec } });
      const watch = await t.watch(`${path}?watch=1&resourceVersion=${made.json.metadata.resourceVersion}`);
      await label(t, `${path}/a`, { is: null });
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { status: { replicas: 3 } };
      await t.quietly({ method: 'PATCH', path: `${path}/a/status`, headers, body });
      await watch.frames(1);
    },
  },
  {
    says: 'an object that is created again is another one',
    steps: async t => {
      const secrets = await t.in('secrets');
      const version = await quietSecret(t, secrets, 'a');
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await quietSecret(t, secrets, 'a');
      await (await t.watch(`${secrets}?watch=1&resourceVersion=${version}`)).frames(2);
    },
  },
  {
    says: 'a deletion that waits is a change, and the last write of a finalizer is the deletion',
    steps: async t => {
      const secrets = await t.in('secrets');
      const body = { metadata: { name: 'a', finalizers: ['example.com/hold'] } };
      const made = await t.quietly({ method: 'POST', path: secrets, body });
      const watch = await t.watch(`${secrets}?watch=1&resourceVersion=${made.json.metadata.resourceVersion}`);
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await watch.frames(1);
      const headers = { 'content-type': 'application/merge-patch+json' };
      await t.quietly({ method: 'PATCH', path: `${secrets}/a`, headers, body: { metadata: { finalizers: null } } });
      await watch.frames(1);
    },
  },
  {
    says: 'a watch of another Namespace hears nothing of this one',
    steps: async t => {
      const secrets = await t.in('secrets');
      const version = await versionOf(t, secrets);
      const other = `/api/v1/namespaces/${t.own('other')}/secrets`;
      const watch = await t.watch(`${other}?watch=1&resourceVersion=${version}&timeoutSeconds=2`);
      await quietSecret(t, secrets, 'a');
      await watch.toEnd();
    },
  },
  {
    says: 'a watch of all Namespaces selects by labels',
    steps: async t => {
      const secrets = await t.in('secrets');
      const version = await versionOf(t, secrets);
      const mine = t.own('all');
      const watch = await t.watch(`/api/v1/secrets?watch=1&resourceVersion=${version}&labelSelector=all%3D${mine}`);
      await quietSecret(t, secrets, 'a', { all: mine });
      await watch.frames(1);
    },
  },
  {
    says: 'a watch of custom objects tells their kind in each event',
    steps: async t => {
      const { path, api } = await widgets(t, { subresources: { status: {} } });
      const version = await versionOf(t, path);
      const watch = await t.watch(`${path}?watch=1&resourceVersion=${version}`);
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
      await t.quietly({ method: 'POST', path, body });
      await label(t, `${path}/a`, { is: 'changed' });
      await t.quietly({ method: 'DELETE', path: `${path}/a` });
      await watch.frames(3);
    },
  },
  {
    says: 'a continue token or a match is not for watches',
    steps: async t => {
      const watch = `${await t.in('secrets')}?watch=1&timeoutSeconds=1`;
      await (await t.watch(`${watch}&resourceVersionMatch=Exact&resourceVersion=5`)).toEnd();
      await (await t.watch(`${watch}&resourceVersionMatch=NotOlderThan&resourceVersion=5`)).toEnd();
      await (await t.watch(`${watch}&continue=abc`)).toEnd();
      await (await t.watch(`${watch}&limit=1`)).toEnd();
    },
  },
  {
    says: 'a watch of a kind that is not served, or that is only asked, is refused',
    steps: async t => {
      await t.watch(`${await t.in('widgets')}?watch=1`);
      await t.watch('/apis/authorization.k8s.io/v1/subjectaccessreviews?watch=1');
    },
  },
];
