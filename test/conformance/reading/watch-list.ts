// Watches that say how far they are: bookmarks, and initial events with their end (the default of client-go).

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { METADATA, quietSecret, secretsIn, TABLE, versionOf } from './prepared.ts';

const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

export const watchingLists: readonly Case[] = [
  {
    says: 'initial events end with a bookmark that says so, and changes follow',
    steps: async t => {
      const secrets = await secretsIn(t, 'b', 'a');
      const watch = await t.watch(`${secrets}?watch=1&allowWatchBookmarks=true&${INITIAL}`);
      await watch.frames(3);
      await quietSecret(t, secrets, 'c');
      await watch.frames(1);
    },
  },
  {
    says: 'initial events of nothing are the bookmark alone, at a version from which one can watch',
    steps: async t => {
      const secrets = await t.in('secrets');
      const [bookmark] = await (await t.watch(`${secrets}?watch=1&allowWatchBookmarks=true&${INITIAL}`)).frames(1);
      const version = bookmark?.object.metadata.resourceVersion;
      await quietSecret(t, secrets, 'a');
      await (await t.watch(`${secrets}?watch=1&resourceVersion=${version}`)).frames(1);
    },
  },
  {
    says: 'initial events without bookmarks end without one',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const watch = await t.watch(`${secrets}?watch=1&${INITIAL}&timeoutSeconds=3`);
      await watch.frames(1);
      await quietSecret(t, secrets, 'b');
      await watch.toEnd();
    },
  },
  {
    says: 'initial events from version 0, and from one that was read',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      const watch = `${secrets}?watch=1&allowWatchBookmarks=true&${INITIAL}`;
      await (await t.watch(`${watch}&resourceVersion=0`)).frames(2);
      await (await t.watch(`${watch}&resourceVersion=${version}`)).frames(2);
    },
  },
  {
    says: 'initial events from a version that lies ahead are refused',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const watch = `${secrets}?watch=1&allowWatchBookmarks=true&timeoutSeconds=5&${INITIAL}`;
      await (await t.watch(`${watch}&resourceVersion=900000000000`)).toEnd();
    },
  },
  {
    says: 'no initial events: a watch without a version begins with what comes next',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const query = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
      const watch = await t.watch(`${secrets}?watch=1&allowWatchBookmarks=true&${query}`);
      await new Promise(resolve => setTimeout(resolve, 500));
      await quietSecret(t, secrets, 'b');
      await watch.frames(1);
    },
  },
  {
    says: 'no initial events from a version: what came since',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      await quietSecret(t, secrets, 'b');
      const query = `sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=${version}`;
      await (await t.watch(`${secrets}?watch=1&${query}`)).frames(1);
    },
  },
  {
    says: 'sendInitialEvents without a match, with another, or with a token is refused',
    steps: async t => {
      const secrets = await t.in('secrets');
      const watch = `${secrets}?watch=1&timeoutSeconds=1&sendInitialEvents=true`;
      await t.watch(watch);
      await t.watch(`${watch}&resourceVersionMatch=Exact`);
      await t.watch(`${watch}&resourceVersionMatch=Nearly&resourceVersion=5`);
      await t.watch(`${watch}&resourceVersionMatch=NotOlderThan&continue=abc`);
      await t.watch(`${secrets}?watch=1&timeoutSeconds=1&sendInitialEvents=false`);
    },
  },
  {
    says: 'initial events are selected by labels and fields',
    steps: async t => {
      const secrets = await t.in('secrets');
      await quietSecret(t, secrets, 'a', { is: 'wanted' });
      await quietSecret(t, secrets, 'b', { is: 'other' });
      await quietSecret(t, secrets, 'c', { is: 'wanted' });
      const watch = `${secrets}?watch=1&allowWatchBookmarks=true&${INITIAL}`;
      await (await t.watch(`${watch}&labelSelector=is%3Dwanted`)).frames(3);
      await (await t.watch(`${watch}&fieldSelector=metadata.name%3Db`)).frames(2);
    },
  },
  {
    says: 'initial events of custom objects',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } } });
      await (await t.watch(`${path}?watch=1&allowWatchBookmarks=true&${INITIAL}`)).frames(2);
    },
  },
  {
    says: 'initial events as metadata and as a Table, and the bookmark in the same form',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      const watch = `${secrets}?watch=1&allowWatchBookmarks=true&${INITIAL}`;
      await (await t.watch(watch, { headers: METADATA })).frames(3);
      await (await t.watch(watch, { headers: TABLE })).frames(3);
    },
  },
  {
    says: 'a watch with bookmarks gets one before its time is up',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      const watch = await t.watch(
        `${secrets}?watch=1&resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=5`,
      );
      const frames: { type: string; object: { metadata: { resourceVersion: string } } }[] = [];
      frames.push(...(await watch.frames(1)));
      t.note('not older', Number(frames[0]?.object.metadata.resourceVersion) >= Number(version));
    },
  },
  {
    says: 'a watch that asked for no bookmarks gets none',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      await (await t.watch(`${secrets}?watch=1&resourceVersion=${version}&timeoutSeconds=4`)).toEnd();
    },
  },
];
