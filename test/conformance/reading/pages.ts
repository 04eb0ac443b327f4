// Lists in pages: tokens, counts, and a state that holds still while writes go on.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { quietSecret, secretsIn, versionOf } from './prepared.ts';

/** The page at the query, recorded; answers the token of the next one. */
async function page(t: Trial, path: string): Promise<string> {
  const { json } = await t.get(path);
  const token = encodeURIComponent((json.metadata?.continue ?? '') as string);
  t.mask.remember(token, '<continue>');
  return token;
}

const tokenOf = (token: unknown): string => Buffer.from(JSON.stringify(token)).toString('base64url');

export const paging: readonly Case[] = [
  {
    says: 'pages say how many remain, and the last one has no token',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b', 'c', 'd', 'e');
      const second = await page(t, `${secrets}?limit=2`);
      const third = await page(t, `${secrets}?limit=2&continue=${second}`);
      await page(t, `${secrets}?limit=2&continue=${third}`);
    },
  },
  {
    says: 'a limit of exactly all objects needs no second page',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await page(t, `${secrets}?limit=2`);
      await page(t, `${secrets}?limit=500`);
      await page(t, `${secrets}?limit=1`);
    },
  },
  {
    says: 'pages show the state of the first one while writes go on',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b', 'd');
      const next = await page(t, `${secrets}?limit=1`);
      await quietSecret(t, secrets, 'c');
      await t.quietly({ method: 'DELETE', path: `${secrets}/d` });
      const last = await page(t, `${secrets}?limit=1&continue=${next}`);
      await page(t, `${secrets}?continue=${last}`);
    },
  },
  {
    says: 'all pages name one resourceVersion',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const first = await t.quietly({ method: 'GET', path: `${secrets}?limit=1` });
      await quietSecret(t, secrets, 'c');
      const token = encodeURIComponent(first.json.metadata.continue);
      const second = await t.quietly({ method: 'GET', path: `${secrets}?limit=1&continue=${token}` });
      t.note('equal', first.json.metadata.resourceVersion === second.json.metadata.resourceVersion);
    },
  },
  {
    says: 'a token can be used again, with another limit',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b', 'c');
      const next = await page(t, `${secrets}?limit=1`);
      await page(t, `${secrets}?limit=1&continue=${next}`);
      await page(t, `${secrets}?continue=${next}`);
    },
  },
  {
    says: 'with a selector nobody says how many remain',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const name of ['a', 'b', 'c', 'd']) {
        await quietSecret(t, secrets, name, { even: String('bd'.includes(name)) });
      }
      const next = await page(t, `${secrets}?limit=1&labelSelector=even%3Dtrue`);
      await page(t, `${secrets}?limit=1&labelSelector=even%3Dtrue&continue=${next}`);
      await page(t, `${secrets}?limit=1&fieldSelector=metadata.name%3Da`);
    },
  },
  {
    says: 'a version beside a token is refused, but not 0',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const next = await page(t, `${secrets}?limit=1`);
      await page(t, `${secrets}?limit=1&continue=${next}&resourceVersion=5`);
      await page(t, `${secrets}?limit=1&continue=${next}&resourceVersion=0`);
    },
  },
  {
    says: 'a resourceVersionMatch beside a token is refused',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const next = await page(t, `${secrets}?limit=1`);
      await page(t, `${secrets}?continue=${next}&resourceVersionMatch=Exact`);
      await page(t, `${secrets}?continue=${next}&resourceVersionMatch=NotOlderThan&resourceVersion=0`);
    },
  },
  {
    says: 'what is no token is refused',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}?limit=1&continue=bm90LWpzb24`);
      await t.get(`${secrets}?limit=1&continue=%21%21`);
      await t.get(`${secrets}?continue=${tokenOf({})}`);
      await t.get(`${secrets}?continue=${tokenOf({ v: 'meta.k8s.io/v2', rv: 5, start: '/a' })}`);
      await t.get(`${secrets}?continue=${tokenOf({ v: 'meta.k8s.io/v1', rv: 0, start: '/a' })}`);
      await t.get(`${secrets}?continue=${tokenOf({ v: 'meta.k8s.io/v1', rv: 5, start: '' })}`);
      await t.get(`${secrets}?continue=${tokenOf({ v: 'meta.k8s.io/v1', rv: 'five', start: '/a' })}`);
    },
  },
  {
    says: 'a token that points out of its collection is refused',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}?continue=${tokenOf({ v: 'meta.k8s.io/v1', rv: -1, start: '../../other/a' })}`);
      await t.get(`${secrets}?continue=${tokenOf({ v: 'meta.k8s.io/v1', rv: -1, start: '/../a' })}`);
    },
  },
  {
    says: 'a token without a version goes on in the newest state',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await t.get(`${secrets}?limit=1&continue=${tokenOf({ v: 'meta.k8s.io/v1', rv: -1, start: 'a\u0000' })}`);
    },
  },
  {
    says: 'a limit at version 0 is overlooked',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await t.until(`${secrets}/b`, object => object !== undefined);
      await t.get(
        `${secrets}?resourceVersion=${await versionOf(t, secrets)}&resourceVersionMatch=NotOlderThan&limit=1`,
      );
      await t.get(`${secrets}?limit=1&resourceVersion=0`);
    },
  },
  {
    says: 'a list at exactly a version comes in pages of that version',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const version = await quietSecret(t, secrets, 'c');
      await t.quietly({ method: 'DELETE', path: `${secrets}/b` });
      const next = await page(t, `${secrets}?limit=1&resourceVersion=${version}&resourceVersionMatch=Exact`);
      await page(t, `${secrets}?limit=1&continue=${next}`);
    },
  },
  {
    says: 'a token that is bytes of any kind is refused by the first that does not fit',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const token of ['zzz', '4pyT', 'gICA', '_w', 'eyLigqwiOjF9', 'AAAA', 'IA']) {
        await t.get(`${secrets}?limit=1&continue=${token}`);
      }
    },
  },
  {
    says: 'a token of JSON that is no token is refused by what Go makes of it',
    steps: async t => {
      const secrets = await t.in('secrets');
      const fields = { v: 'meta.k8s.io/v1', rv: 1, start: 'a' };
      for (const token of [[], 'a', 1, true, null, { ...fields, v: 1 }, { ...fields, v: ['a'] }, { rv: true, v: 2 }]) {
        await t.get(`${secrets}?limit=1&continue=${tokenOf(token)}`);
      }
      for (const more of [{ rv: 1.5 }, { rv: 'x' }, { rv: {} }, { start: [] }, { start: null }, { start: '../a' }]) {
        await t.get(`${secrets}?limit=1&continue=${tokenOf({ ...fields, ...more })}`);
      }
    },
  },
  {
    says: 'pages of custom objects',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      for (const name of ['a', 'b', 'c']) {
        await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name } } });
      }
      const next = await page(t, `${path}?limit=2`);
      await page(t, `${path}?limit=2&continue=${next}`);
    },
  },
  {
    says: 'pages of cluster-scoped objects, with the selector that finds them',
    steps: async t => {
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
      const labels = { paged: t.own('roles') };
      for (const name of ['a', 'b', 'c'].map(part => t.own(part))) {
        t.after(() => t.quietly({ method: 'DELETE', path: `${roles}/${name}` }));
        await t.quietly({ method: 'POST', path: roles, body: { metadata: { name, labels }, rules: [] } });
      }
      const query = `limit=2&labelSelector=paged%3D${labels.paged}`;
      const next = await page(t, `${roles}?${query}`);
      await page(t, `${roles}?${query}&continue=${next}`);
    },
  },
  {
    says: 'a token of one Namespace used in another goes on after that name',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const { json } = await t.quietly({ method: 'GET', path: `${secrets}?limit=1` });
      const token = encodeURIComponent(json.metadata.continue);
      t.mask.remember(token, '<continue>');
      await t.get(`${await t.in('leases', '/apis/coordination.k8s.io/v1')}?continue=${token}`);
    },
  },
];
