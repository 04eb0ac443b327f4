import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anApi } from '../api-double.ts';
import { FrameCache } from './watch-frames.ts';

const MIB = 1024 * 1024;

test('a frame is written once per form while it is remembered', () => {
  const cache = new FrameCache();
  let written = 0;
  const write = (): Uint8Array => new Uint8Array(++written);

  const first = cache.get(7, 'json', write);

  assert.equal(cache.get(7, 'json', write), first);
  assert.notEqual(cache.get(7, 'protobuf', write), first);
  assert.equal(written, 2);
});

test('large frames are forgotten sooner: what is remembered has a bound in bytes', () => {
  const cache = new FrameCache();
  const asked: number[] = [];
  const get = (revision: number): Uint8Array =>
    cache.get(revision, 'json', () => {
      asked.push(revision);
      return new Uint8Array(1.5 * MIB);
    });

  for (const revision of [1, 2, 3]) get(revision);
  get(3);
  get(1);

  assert.deepEqual(asked, [1, 2, 3, 1]);
});

test('however late they come, all who are shown a large object are given the same bytes', async () => {
  const api = await anApi();
  const maps = '/api/v1/namespaces/default/configmaps';
  const metadata = { name: 'large' };
  await api.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: 'x'.repeat(200_000) } });

  const [one, other] = [await api.watch(maps), await api.watch(maps)];

  const [first, second] = [await one.stream.next(), await other.stream.next()];
  assert.ok(first !== undefined && first === second);
});
