// Watches in other formats than JSON.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { PROTOBUF, protobufFrames, YAML } from './prepared.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };

export const watchFormats: readonly Case[] = [
  {
    says: 'events in protobuf: added, modified, deleted',
    steps: async t => {
      const secrets = await t.in('secrets');
      const { json } = await t.quietly({ method: 'GET', path: secrets });
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 'a' } } });
      const body = { metadata: { labels: { is: 'changed' } } };
      await t.quietly({ method: 'PATCH', path: `${secrets}/a`, headers: mergePatch, body });
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await protobufFrames(t, `${secrets}?watch=1&resourceVersion=${json.metadata.resourceVersion}`, 3);
    },
  },
  {
    says: 'initial events and their end in protobuf',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 'a' } } });
      const query = 'watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      await protobufFrames(t, `${secrets}?${query}`, 2);
    },
  },
  {
    says: 'a watch in protobuf that cannot begin is told so, and ends',
    steps: async t => {
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=900000000000';
      await protobufFrames(t, `${await t.in('secrets')}?${query}`, 2);
    },
  },
  {
    says: 'metadata alone in protobuf events',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 'a' } } });
      const query = 'watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      await protobufFrames(t, `${secrets}?${query}`, 2, `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`);
    },
  },
  {
    says: 'a watch is asked for as the object would be, or as a stream',
    steps: async t => {
      const secrets = await t.in('secrets');
      const path = `${secrets}?watch=1&timeoutSeconds=1`;
      for (const accept of [PROTOBUF, `${PROTOBUF};stream=watch`, `${PROTOBUF},application/json`]) {
        await protobufFrames(t, path, 0, accept);
      }
      for (const accept of ['application/json;stream=watch', 'application/json', '*/*', '']) {
        (await t.watch(path, { headers: { accept } })).close();
      }
    },
  },
  {
    says: 'a watch in YAML, in another stream or as text is refused',
    steps: async t => {
      const path = `${await t.in('secrets')}?watch=1&timeoutSeconds=1`;
      const { status } = await t.quietly({ method: 'GET', path, headers: { accept: YAML } });
      t.note('in YAML', status);
      for (const accept of [`${YAML};stream=watch`, 'text/html', 'application/json;stream=other']) {
        const told = await t.quietly({ method: 'GET', path, headers: { accept } });
        t.note(accept, [told.status, told.json?.message]);
      }
    },
  },
  {
    says: 'a watch of custom objects is in JSON, whatever else is asked for beside it',
    steps: async t => {
      const { path } = await widgets(t, {});
      for (const accept of [PROTOBUF, `${PROTOBUF},application/json`]) {
        await (await t.watch(`${path}?watch=1&timeoutSeconds=1`, { headers: { accept } })).toEnd();
      }
    },
  },
  {
    says: 'a watch that is refused is refused in the format of its client',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(`${secrets}?watch=1&resourceVersion=zzz`, { headers: { accept: PROTOBUF } });
      const bad = { headers: { accept: YAML }, path: `${secrets}?watch=1&labelSelector=((` };
      const { status, headers } = await t.quietly({ method: 'GET', ...bad });
      t.note('in YAML', [status, headers['content-type']]);
    },
  },
];
