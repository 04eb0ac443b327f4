import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from './server-client.ts';
import { type Outlet, writeFrames } from './server-stream.ts';
import { Unread } from './server-unread.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const client: Client = { gone: false, leaves: new Promise(() => undefined) };

/** Takes what it is given and never says that it has been read, until it is told to. */
class Stuck implements Outlet {
  written = 0;
  readonly #listeners = new Map<string, () => void>();
  readonly writable = {
    once: (event: string, listener: () => void) => this.#listeners.set(event, listener),
    off: (event: string) => this.#listeners.delete(event),
    destroy: () => undefined,
  };

  write({ bytes }: { readonly bytes: Uint8Array }): boolean {
    this.written += bytes.length;
    return false;
  }

  async read(): Promise<void> {
    this.#listeners.get('drain')?.();
    await new Promise(setImmediate);
  }
}

const frames = (size: number) => {
  const bytes = new Uint8Array(size);
  return { bytes, chunk: bytes };
};

test('a frame that many streams do not read is held once, and little of it is handed over', () => {
  const unread = new Unread();
  const outlets = Array.from({ length: 500 }, () => new Stuck());
  const large = frames(900 * KIB);
  const connection = {};

  for (const outlet of outlets) {
    const reader = unread.reader(connection, () => assert.fail('what is held once is within the bounds'));
    void writeFrames(large, outlet, { client, reader });
  }

  assert.equal(unread.bytes, 900 * KIB);
  const handedOver = outlets.reduce((sum, { written }) => sum + written, 0);
  assert.ok(handedOver <= 4 * MIB + 500 * 16 * KIB, `${handedOver} bytes were handed over for one connection`);
});

test('a large frame is written as it is read, all of it in the end', async () => {
  const unread = new Unread();
  const outlet = new Stuck();
  const writing = writeFrames(frames(150 * KIB), outlet, { client, reader: unread.reader({}, () => undefined) });

  const seen = [outlet.written];
  for (let n = 0; n < 3; n += 1) {
    await outlet.read();
    seen.push(outlet.written);
  }
  await writing;

  assert.deepEqual(seen, [64 * KIB, 128 * KIB, 150 * KIB, 150 * KIB]);
  assert.equal(unread.bytes, 0);
});

test('a connection that holds too much loses the stream that has read nothing for longest', () => {
  const unread = new Unread({ connectionBytes: 2.7 * MIB, serverBytes: 100 * MIB });
  const dropped: number[] = [];
  const one = {};
  const stream = (n: number, connection: object = one) => unread.reader(connection, () => dropped.push(n));
  const streams = [stream(0), stream(1), stream(2)];
  for (const each of streams) each.waits(new Uint8Array(0.8 * MIB), 1);
  streams[0]?.waits(new Uint8Array(0.8 * MIB), 1);

  stream(3, {}).waits(new Uint8Array(2 * MIB), 1);
  assert.deepEqual(dropped, []);
  stream(4).waits(new Uint8Array(MIB), 1);

  assert.deepEqual(dropped, [1]);
  assert.ok(unread.bytes <= 4.7 * MIB);
});

test('all connections together hold no more than the server may', () => {
  const unread = new Unread({ connectionBytes: 10 * MIB, serverBytes: 5 * MIB });
  const dropped: number[] = [];

  for (let n = 0; n < 8; n += 1) unread.reader({}, () => dropped.push(n)).waits(new Uint8Array(MIB), 1);

  assert.deepEqual(dropped, [0, 1, 2]);
  assert.equal(unread.bytes, 5 * MIB);
});
