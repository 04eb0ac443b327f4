// Listing at a resourceVersion: unset, 0, exact, not older than, ahead, and none at all.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { cached, label, quietSecret, secretsIn, versionOf } from './prepared.ts';

export const listing: readonly Case[] = [
  {
    says: 'a list is in the order of names, its items without kind',
    steps: async t => {
      await t.get(await secretsIn(t, 'c', 'a', 'b', 'a-1', 'a.1'));
    },
  },
  {
    says: 'an empty list has no items and says so',
    steps: async t => {
      await t.get(await t.in('secrets'));
      await t.get(await t.in('leases', '/apis/coordination.k8s.io/v1'));
      await t.get('/api/v1/namespaces/not-there/secrets');
    },
  },
  {
    says: 'a list at version 0 and at one that was read before is complete',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await t.until(`${secrets}/b`, object => object !== undefined);
      await t.get(`${secrets}?resourceVersion=${await versionOf(t, secrets)}`);
      await t.get(`${secrets}?resourceVersion=0`);
    },
  },
  {
    says: 'a list not older than a version shows what was written since',
    steps: async t => {
      const secrets = await secretsIn(t);
      const first = await quietSecret(t, secrets, 'a');
      const second = await quietSecret(t, secrets, 'b');
      await t.get(`${secrets}?resourceVersion=${second}&resourceVersionMatch=NotOlderThan`);
      const { json } = await t.quietly({ method: 'GET', path: `${secrets}?resourceVersion=${first}` });
      t.note('is at least the second', Number(json.metadata.resourceVersion) >= Number(second));
    },
  },
  {
    says: 'a list at exactly a version shows the state of then and that version',
    steps: async t => {
      const secrets = await secretsIn(t);
      const first = await quietSecret(t, secrets, 'a');
      await quietSecret(t, secrets, 'b');
      await label(t, `${secrets}/a`, { is: 'changed' });
      const { json } = await t.get(`${secrets}?resourceVersion=${first}&resourceVersionMatch=Exact`);
      t.note('is exactly the first', json.metadata.resourceVersion === first);
    },
  },
  {
    says: 'a list at exactly a version shows what was deleted since',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const second = await quietSecret(t, secrets, 'b');
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await t.get(`${secrets}?resourceVersion=${second}&resourceVersionMatch=Exact`);
      await t.get(secrets);
    },
  },
  {
    says: 'a list at exactly a version selects by labels of then',
    steps: async t => {
      const secrets = await secretsIn(t);
      const first = await quietSecret(t, secrets, 'a', { is: 'first' });
      await label(t, `${secrets}/a`, { is: 'second' });
      const at = `resourceVersion=${first}&resourceVersionMatch=Exact`;
      await t.get(`${secrets}?${at}&labelSelector=is%3Dfirst`);
      await t.get(`${secrets}?${at}&labelSelector=is%3Dsecond`);
    },
  },
  {
    says: 'a list at a version with a limit reads that version exactly',
    steps: async t => {
      const secrets = await secretsIn(t);
      const first = await quietSecret(t, secrets, 'a');
      await quietSecret(t, secrets, 'b');
      const { json } = await t.get(`${secrets}?resourceVersion=${first}&limit=5`);
      t.note('is exactly the first', json.metadata.resourceVersion === first);
    },
  },
  {
    says: 'a list at a version with a limit, not older than it, reads the newest',
    steps: async t => {
      const secrets = await secretsIn(t);
      const first = await quietSecret(t, secrets, 'a');
      await cached(t, secrets, await quietSecret(t, secrets, 'b'));
      await t.get(`${secrets}?resourceVersion=${first}&resourceVersionMatch=NotOlderThan&limit=5`);
    },
  },
  {
    says: 'a list at a version that lies ahead is refused with the current one',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(`${secrets}?resourceVersion=900000000000`);
      await t.get(`${secrets}?resourceVersion=900000000000&limit=1`);
      await t.get(`${secrets}?resourceVersion=900000000000&resourceVersionMatch=NotOlderThan`);
    },
  },
  {
    says: 'a list at exactly a version that lies ahead is refused with the current one',
    steps: async t => {
      await t.get(`${await t.in('secrets')}?resourceVersion=900000000000&resourceVersionMatch=Exact`);
    },
  },
  {
    says: 'a list at what is no version is refused',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const version of ['zzz', '-1', '1.5', '99999999999999999999']) {
        await t.get(`${secrets}?resourceVersion=${version}`);
      }
    },
  },
  {
    says: 'a resourceVersionMatch without a version, of an unknown word, or Exact at 0 is refused',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(`${secrets}?resourceVersionMatch=Exact`);
      await t.get(`${secrets}?resourceVersionMatch=Nearly`);
      await t.get(`${secrets}?resourceVersion=5&resourceVersionMatch=exact`);
      await t.get(`${secrets}?resourceVersion=0&resourceVersionMatch=Exact`);
      await t.get(`${secrets}?resourceVersion=0&resourceVersionMatch=NotOlderThan`);
    },
  },
  {
    says: 'sendInitialEvents is not for lists',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(`${secrets}?sendInitialEvents=true`);
      await t.get(`${secrets}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0`);
    },
  },
  {
    says: 'parameters that are no numbers or truths are refused',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const bad of ['limit=ten', 'limit=1.5', 'timeoutSeconds=soon', 'limit=99999999999999999999']) {
        await t.get(`${secrets}?${bad}`);
      }
      await t.get(`${secrets}?allowWatchBookmarks=maybe`);
      await t.get(`${secrets}?limit=`);
      await (await t.watch(`${secrets}?watch=perhaps&timeoutSeconds=1`)).toEnd();
    },
  },
  {
    says: 'a limit below zero is none, and unknown parameters are overlooked',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await t.get(`${secrets}?limit=-1`);
      await t.get(`${secrets}?nothing=known&Limit=1`);
    },
  },
  {
    says: 'a list of all Namespaces is in the order of Namespaces, then of names',
    steps: async t => {
      await secretsIn(t, 'b', 'a');
      const selector = t.own('all');
      await label(t, await t.in('secrets/a'), { all: selector });
      await label(t, await t.in('secrets/b'), { all: selector });
      await t.get(`/api/v1/secrets?labelSelector=all%3D${selector}`);
    },
  },
  {
    says: 'a list of custom objects has items with kind, and a continue that is empty',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.get(path);
      await t.post(path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } });
      await t.get(path);
      await t.get(`${path}?resourceVersion=0`);
    },
  },
];
