import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { type ClientResponse, clientOf, endWith, room } from './server-client.ts';

class AnAnswer extends EventEmitter implements ClientResponse {
  isDestroyed = false;
  setHeader = (): void => undefined;
  writeHead = (): void => undefined;
  readonly written: number[] = [];
  readonly ended: number[] = [];
  /** Tells that the last write has been sent. */
  sent: () => void = () => undefined;
  stream?: object;
  write(chunk: Uint8Array, written: () => void = () => undefined): boolean {
    this.written.push(chunk.length);
    this.sent = written;
    return false;
  }
  end(chunk: Uint8Array = new Uint8Array()): void {
    this.ended.push(chunk.length);
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

test('there is room once what was written has been read, and no listener stays', async () => {
  const answer = new AnAnswer();
  const client = clientOf(answer);
  const before = answer.listenerCount('close');
  const waiting = room(answer, client);
  answer.emit('drain');
  await waiting;

  assert.equal(answer.listenerCount('close'), before);
  assert.equal(answer.listenerCount('drain'), 0);
});

test('nobody waits for a client that leaves, nor for one that has left', { timeout: 60_000 }, async () => {
  const answer = new AnAnswer();
  const client = clientOf(answer);
  const waiting = room(answer, client);
  answer.emit('close');
  await waiting;
  await room(answer, client);

  assert.ok(client.gone);
});

test('a client that reads nothing for too long is let go', { timeout: 60_000 }, async () => {
  const answer = new AnAnswer();
  await room(answer, clientOf(answer), 10);

  assert.ok(answer.isDestroyed);
});

const KIB = 1024;
const wholeTo = (response: AnAnswer, sizeBytes: number): Promise<void> =>
  endWith(new Uint8Array(sizeBytes), { response, client: clientOf(response), stallMs: 60_000 });

test('a large answer ends with little, and only once all before it has been sent', async () => {
  const answer = new AnAnswer();
  const ending = wholeTo(answer, 900 * KIB);
  answer.emit('drain');
  await Promise.resolve();
  const early = answer.ended.length;
  answer.sent();
  await ending;

  assert.equal(early, 0);
  assert.deepEqual([answer.written, answer.ended], [[884 * KIB], [16 * KIB]]);
});

test('a small answer, and one over HTTP/2, is ended at once', async () => {
  const [small, overHttp2] = [new AnAnswer(), new AnAnswer()];
  overHttp2.stream = {};
  await Promise.all([wholeTo(small, 32 * KIB), wholeTo(overHttp2, 900 * KIB)]);

  assert.deepEqual([small.written, small.ended], [[], [32 * KIB]]);
  assert.deepEqual([overHttp2.written, overHttp2.ended], [[], [900 * KIB]]);
});

test('nothing is ended for a client that left in the middle of a large answer', async () => {
  const answer = new AnAnswer();
  const ending = wholeTo(answer, 900 * KIB);
  answer.emit('close');
  await ending;

  assert.deepEqual(answer.ended, []);
});
