import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventStream } from '../../kube/transport.ts';
import { Turns, withReady } from './server-stream.ts';

/** A stream that has these frames at once. */
function having(...frames: readonly Uint8Array[]): EventStream {
  const left = [...frames];
  return { next: async () => left.shift(), ready: () => left.shift(), close: () => undefined };
}

const frame = (text: string): Uint8Array => Buffer.from(text);

test('what is there at once is written at once, in order', () => {
  const [a, b, c] = [frame('a\n'), frame('b\n'), frame('c\n')];

  assert.equal(Buffer.from(withReady(a, having(b, c))).toString(), 'a\nb\nc\n');
  assert.equal(withReady(a, having()), a);
});

test('streams at the same place share the bytes, and others do not', () => {
  const [a, b, c] = [frame('a\n'), frame('b\n'), frame('c\n')];

  const first = withReady(a, having(b));
  assert.equal(withReady(a, having(b)), first);
  assert.equal(Buffer.from(withReady(a, having(c))).toString(), 'a\nc\n');
});

test('one write stays within a bound, and the rest is left for the next', () => {
  const large = Buffer.alloc(40 * 1024);
  const stream = having(large, large);

  assert.equal(withReady(large, stream).length, 80 * 1024);
  assert.equal(stream.ready?.(), large);
});

test('a stream that was just written to has its next turn at once while the server has time', () => {
  assert.equal(new Turns(() => 0.5).turnAfter(performance.now()), undefined);
});

test('while the server is busy all streams share the next turn, and one that was quiet has it at once', async () => {
  const turns = new Turns(() => 0.9);

  const [one, other] = [turns.turnAfter(performance.now()), turns.turnAfter(performance.now())];

  assert.notEqual(one, undefined);
  assert.equal(one, other);
  assert.equal(turns.turnAfter(Number.NEGATIVE_INFINITY), undefined);
  await one;
});
