import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type ApiUnderTest, anApi, versionOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';
import { PieceCache } from './watch-pieces.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MAX_BYTES = 64 * 1024;

const make = (api: ApiUnderTest, name: string, labels: JsonObject = {}): Promise<Answer> =>
  api.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });

/** The names in a piece, in order. */
const namesIn = (piece: Uint8Array | undefined): readonly string[] =>
  [...new TextDecoder().decode(piece).matchAll(/"name":"(\w+)"/g)].map(match => match[1] ?? '');

test('watches at the same place are given the same bytes, and go on after them', async () => {
  const api = await anApi();
  const from = `resourceVersion=${versionOf((await make(api, 'before')).body)}`;
  const [one, other] = [await api.watch(MAPS, from), await api.watch(MAPS, from)];
  for (const name of ['a', 'b', 'c']) await make(api, name);
  await one.next();
  await other.next();

  const [first, second] = [one.stream.ready?.(MAX_BYTES), other.stream.ready?.(MAX_BYTES)];
  await make(api, 'd');

  assert.deepEqual(namesIn(first), ['b', 'c']);
  assert.equal(second, first);
  assert.deepEqual([await one.said(1), await other.said(1)], [['ADDED d'], ['ADDED d']]);
});

test('a watch that selects, or that is at another place, is given its own', async () => {
  const api = await anApi();
  const from = `resourceVersion=${versionOf((await make(api, 'before')).body)}`;
  const [all, some, late] = [
    await api.watch(MAPS, from),
    await api.watch(MAPS, `${from}&labelSelector=on`),
    await api.watch(MAPS, from),
  ];
  for (const name of ['a', 'b', 'c']) await make(api, name, name === 'b' ? {} : { on: '' });
  await all.next();
  await some.next();
  await late.next();
  await late.next();

  const pieces = [all, some, late].map(watch => namesIn(watch.stream.ready?.(MAX_BYTES)));

  assert.deepEqual(pieces, [['b', 'c'], ['c'], ['c']]);
});

test('a piece stays within the bound that was asked for, and the rest comes next', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS, `resourceVersion=${versionOf((await make(api, 'before')).body)}`);
  for (const name of ['a', 'b', 'c']) await make(api, name);
  await watch.next();

  assert.deepEqual([namesIn(watch.stream.ready?.(1)), namesIn(watch.stream.ready?.(1))], [['b'], ['c']]);
  assert.equal(watch.stream.ready?.(1), undefined);
});

test('watches that have their turns one after the other are given the same bytes all the same', async () => {
  const api = await anApi();
  const from = `resourceVersion=${versionOf((await make(api, 'before')).body)}`;
  const [one, other] = [await api.watch(MAPS, from), await api.watch(MAPS, from)];
  for (const name of ['a', 'b', 'c']) await make(api, name);
  await one.next();
  await other.next();
  const first = one.stream.ready?.(MAX_BYTES);
  for (const name of ['d', 'e']) await make(api, name);
  const second = one.stream.ready?.(MAX_BYTES);

  const later = [other.stream.ready?.(MAX_BYTES), other.stream.ready?.(MAX_BYTES)];

  assert.deepEqual(
    [namesIn(first), namesIn(second)],
    [
      ['b', 'c'],
      ['d', 'e'],
    ],
  );
  assert.ok(later[0] === first && later[1] === second);
});

test('a watch that comes in between goes as far as the others, and from there on with them', async () => {
  const api = await anApi();
  const from = `resourceVersion=${versionOf((await make(api, 'before')).body)}`;
  const [one, stray] = [await api.watch(MAPS, from), await api.watch(MAPS, from)];
  for (const name of ['a', 'b', 'c']) await make(api, name);
  await one.next();
  one.stream.ready?.(MAX_BYTES);
  await make(api, 'd');
  const shared = one.stream.ready?.(MAX_BYTES);
  await stray.next();
  await stray.next();

  assert.deepEqual(namesIn(stray.stream.ready?.(MAX_BYTES)), ['c']);
  assert.equal(stray.stream.ready?.(MAX_BYTES), shared);
});

test('only so many pieces are kept, the newest', () => {
  const cache = new PieceCache();

  for (let n = 0; n < 100; n += 1) cache.keep(`kind ${n}`, { from: n, to: n + 1, bytes: new Uint8Array() });

  assert.equal(cache.get('kind 0', 0), undefined);
  assert.ok(!cache.isMeeting('kind 0', 1));
  assert.equal(cache.get('kind 99', 99)?.to, 100);
  assert.ok(cache.isMeeting('kind 99', 99) && cache.isMeeting('kind 99', 100) && !cache.isMeeting('kind 99', 98));
});

test('large pieces are forgotten sooner: what is kept has a bound in bytes', () => {
  const cache = new PieceCache();

  for (let n = 0; n < 4; n += 1) cache.keep('kind', { from: n, to: n + 1, bytes: new Uint8Array(1024 * 1024) });

  assert.deepEqual(
    [0, 1, 2, 3].map(from => cache.get('kind', from)?.to),
    [undefined, undefined, 3, 4],
  );
});
