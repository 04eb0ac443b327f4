// A large answer, written as fast as its client reads it: what is not read yet is not put together yet.

import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ApiResponse } from '../../kube/transport.ts';
import { type Client, type ClientResponse, room } from './server-client.ts';
import type { Load } from './server-limits.ts';
import { Slabs } from './server-slabs.ts';
import { outletOf } from './server-stream.ts';

export interface Writing {
  readonly response: ClientResponse;
  readonly client: Client;
  readonly load: Load;
  readonly pieces: () => Iterable<Uint8Array>;
  readonly zips: boolean;
}

export async function writePieces(writing: Writing, { status, headers }: ApiResponse): Promise<void> {
  const { response, client, zips } = writing;
  const zipped = zips ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {};
  response.writeHead(status, { ...headers, ...zipped });
  if (zips) await writeZipped(writing);
  else await writePlain(writing);
  if (!client.gone) response.end();
}

/** Shared by all answers of this process. */
const slabs = new Slabs();

async function writePlain({ response, client, load, pieces }: Writing): Promise<void> {
  response.flushHeaders?.();
  const outlet = outletOf(response);
  for (const slab of slabs.filled(pieces())) {
    // What was cut off may still be held by who was writing it: that slab is not filled again.
    const written = (error?: Error | null): void => {
      if (!error) slabs.giveBack(slab);
    };
    if (!outlet.write(slab.joined, written)) await room(outlet.writable, client, load.limits.stallMs);
    if (client.gone) return;
  }
}

async function writeZipped({ response, client, load, pieces }: Writing): Promise<void> {
  for await (const part of gzipped(joined(pieces()))) {
    if (client.gone) return;
    if (!response.write(part)) await room(response, client, load.limits.stallMs);
  }
}

/** What goes wrong on either side ends both. */
const gzipped = (parts: Iterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(parts, { objectMode: false }), createGzip({ level: 1 }), () => undefined);

/** Parts that are worth the cost of handing them over to another thread. */
const PART_BYTES = 256 * 1024;

function* joined(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let [part, size]: [Uint8Array[], number] = [[], 0];
  for (const piece of pieces) {
    part.push(piece);
    size += piece.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(part, size);
    [part, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(part, size);
}
