import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventStream } from '../../kube/transport.ts';
import { type LastWrite, Turns, withReady } from './server-stream.ts';

/** A stream that has these bytes at once. */
const having = (more?: Uint8Array): EventStream => ({
  next: async () => undefined,
  ready: () => more,
  close: () => undefined,
});

const justNow = (bytes = 1): LastWrite => ({ at: performance.now(), bytes });

const frame = (text: string): Uint8Array => Buffer.from(text);

test('what is there at once is written at once, in order, over HTTP/1.1 as one chunk', () => {
  const [a, b] = [frame('a\n'), frame('b\n')];

  const [both, one] = [withReady(a, having(b)), withReady(a, having())];

  assert.deepEqual([both.bytes, both.chunk].map(String), ['a\nb\n', '4\r\na\nb\n\r\n']);
  assert.deepEqual([one.bytes, one.chunk].map(String), ['a\n', '2\r\na\n\r\n']);
});

test('streams at the same place share the bytes, and others do not', () => {
  const [a, b, c] = [frame('a\n'), frame('b\n'), frame('c\n')];

  const first = withReady(a, having(b));
  assert.equal(withReady(c, having()), withReady(c, having()));
  assert.equal(withReady(a, having(b)), first);
  assert.equal(String(withReady(a, having(c)).bytes), 'a\nc\n');
});

test('one write stays within a bound: a large frame goes alone', () => {
  const large = Buffer.alloc(80 * 1024);

  assert.equal(withReady(large, having(large)).bytes.length, large.length);
});

test('a stream that was just written to has its next turn at once while the server has time', () => {
  assert.equal(new Turns(() => 0.4).turnAfter(justNow()), undefined);
});

test('while the server is busy streams have their turns one after the other, and one that was quiet at once', async () => {
  const turns = new Turns(() => 0.9);
  const order: number[] = [];

  const waiting = [0, 1, 2].map(async n => {
    await turns.turnAfter(justNow());
    order.push(n);
  });

  assert.equal(turns.turnAfter(undefined), undefined);
  assert.deepEqual(order, []);
  await Promise.all(waiting);
  assert.deepEqual(order, [0, 1, 2]);
});

test('a stream that has more than one write holds goes on at once, however busy the server is', () => {
  const full = withReady(frame('a'), having(Buffer.alloc(64 * 1024)));

  assert.equal(new Turns(() => 0.9).turnAfter(justNow(full.bytes.length)), undefined);
});
