import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { type ClientResponse, clientOf, room } from './server-client.ts';

class AnAnswer extends EventEmitter implements ClientResponse {
  isDestroyed = false;
  setHeader = (): void => undefined;
  writeHead = (): void => undefined;
  write(): boolean {
    return false;
  }
  end = (): void => undefined;
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
