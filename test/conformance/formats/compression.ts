// Compression: large answers, and only for who can read them.

import { gunzipSync } from 'node:zlib';
import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { PROTOBUF } from './prepared.ts';

/** Head and size of an answer, roughly. */
async function noted(t: Trial, path: string, headers: Record<string, string>): Promise<void> {
  const told = await t.quietly({ method: 'GET', path, headers });
  const zipped = told.headers['content-encoding'] === 'gzip';
  const size = (zipped ? gunzipSync(told.body) : told.body).length;
  const { 'content-encoding': encoding, 'content-type': type, vary } = told.headers;
  t.note(JSON.stringify(headers), { status: told.status, encoding, type, vary, isLarge: size > 128 * 1024 });
}

async function largeMap(t: Trial, bytes: number): Promise<string> {
  const maps = await t.in('configmaps');
  await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' }, data: { key: 'x'.repeat(bytes) } } });
  return maps;
}

const LARGE = 200 * 1024;

export const compressing: readonly Case[] = [
  {
    says: 'an answer above 128 KiB is compressed for who accepts gzip',
    steps: async t => {
      const maps = await largeMap(t, LARGE);
      await noted(t, maps, { 'accept-encoding': 'gzip' });
      await noted(t, `${maps}/a`, { 'accept-encoding': 'gzip' });
      await noted(t, `${maps}/a`, { 'accept-encoding': 'deflate, gzip;q=0.5, br' });
    },
  },
  {
    says: 'an answer above 128 KiB is as it is for who does not accept gzip',
    steps: async t => {
      const maps = await largeMap(t, LARGE);
      for (const encoding of ['identity', 'deflate', '', 'br', '*', 'GZIP', 'gzip;q=0']) {
        await noted(t, `${maps}/a`, { 'accept-encoding': encoding });
      }
      await noted(t, `${maps}/a`, {});
    },
  },
  {
    says: 'a smaller answer is not compressed',
    steps: async t => {
      await noted(t, await largeMap(t, 100 * 1024), { 'accept-encoding': 'gzip' });
    },
  },
  {
    says: 'protobuf, YAML and Tables are compressed as JSON is',
    steps: async t => {
      const maps = await largeMap(t, LARGE);
      await noted(t, maps, { 'accept-encoding': 'gzip', accept: PROTOBUF });
      await noted(t, maps, { 'accept-encoding': 'gzip', accept: 'application/yaml' });
      const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      await noted(t, `${maps}?includeObject=Object`, { 'accept-encoding': 'gzip', accept: table });
    },
  },
  {
    says: 'a create of a large object is answered compressed, a watch never',
    steps: async t => {
      const maps = await t.in('configmaps');
      const body = { metadata: { name: 'b' }, data: { key: 'x'.repeat(LARGE) } };
      const headers = { 'accept-encoding': 'gzip' };
      const made = await t.quietly({ method: 'POST', path: maps, body, headers });
      t.note('create', made.headers['content-encoding']);
      const watch = await t.watch(`${maps}?watch=1&fieldSelector=metadata.name%3Dnone&timeoutSeconds=1`, { headers });
      await watch.toEnd();
    },
  },
  {
    says: 'a body that is sent compressed is not read',
    steps: async t => {
      const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
      const { status } = await t.quietly({
        method: 'POST',
        path: await t.in('configmaps'),
        body: Buffer.from('1f8b08', 'hex'),
        headers,
      });
      t.note('status', status);
    },
  },
];
