// Too old: tokens, versions and watches from before a compaction.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { METADATA, quietSecret, secretsIn, TABLE } from './prepared.ts';

const DEADLINE_MS = 30_000;

/** Compacts, and waits until the version can no longer be read: kube-apiserver learns it a moment later. */
async function forget(t: Trial, collection: string, version: string): Promise<void> {
  await t.ground.forget();
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const path = `${collection}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=1`;
    const { status } = await t.quietly({ method: 'GET', path });
    if (status === 410) return;
    if (Date.now() > deadline) throw new Error(`version ${version} is not forgotten`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function pageBefore(t: Trial, secrets: string, query = ''): Promise<{ token: string; version: string }> {
  const { json } = await t.quietly({ method: 'GET', path: `${secrets}?limit=1${query}` });
  const token = encodeURIComponent(json.metadata.continue);
  t.mask.remember(token, '<continue>');
  return { token, version: json.metadata.resourceVersion };
}

export const expiring: readonly Case[] = [
  {
    says: 'a token from before a compaction is refused with one that goes on in the newest state',
    alone: true,
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b', 'c');
      const { token, version } = await pageBefore(t, secrets);
      await quietSecret(t, secrets, 'd');
      await forget(t, secrets, version);
      const { json } = await t.get(`${secrets}?limit=1&continue=${token}`);
      const next = encodeURIComponent(json.metadata.continue);
      t.mask.remember(next, '<continue>');
      const last = await t.get(`${secrets}?limit=1&continue=${next}`);
      const rest = encodeURIComponent(last.json.metadata.continue);
      t.mask.remember(rest, '<continue>');
      await t.get(`${secrets}?continue=${rest}`);
    },
  },
  {
    says: 'a token from before a compaction is refused for a Table as well',
    alone: true,
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const { token, version } = await pageBefore(t, secrets);
      await quietSecret(t, secrets, 'c');
      await forget(t, secrets, version);
      await t.get(`${secrets}?limit=1&continue=${token}`, { headers: TABLE });
    },
  },
  {
    says: 'a list at exactly a version from before a compaction is refused, one not older than it is not',
    alone: true,
    steps: async t => {
      const secrets = await secretsIn(t);
      const version = await quietSecret(t, secrets, 'a');
      await quietSecret(t, secrets, 'b');
      await forget(t, secrets, version);
      await t.get(`${secrets}?resourceVersion=${version}&resourceVersionMatch=Exact`);
      await t.get(`${secrets}?resourceVersion=${version}&limit=1`);
      await t.get(`${secrets}?resourceVersion=${version}`);
      await t.get(`${secrets}/a?resourceVersion=${version}`);
    },
  },
  {
    says: 'a watch from before all that is remembered is told 410 in the stream, which ends',
    alone: true,
    steps: async t => {
      // A kind of the case's own: what was there before it was is too old for kube-apiserver's cache, however new that is.
      const { path, api } = await widgets(t, {});
      await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } } });
      await t.ground.forget();
      await (await t.watch(`${path}?watch=1&resourceVersion=1`)).toEnd();
      await (await t.watch(`${path}?watch=1&resourceVersion=1&allowWatchBookmarks=true`)).toEnd();
      await (await t.watch(`${path}?watch=1&resourceVersion=1`, { headers: TABLE })).toEnd();
      await (await t.watch(`${path}?watch=1&resourceVersion=1`, { headers: METADATA })).toEnd();
    },
  },
];
