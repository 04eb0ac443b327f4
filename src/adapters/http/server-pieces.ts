// A large answer, written as fast as its client reads it: what is not read yet is not put together yet.

import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ApiResponse } from '../../kube/transport.ts';
import { type Client, type ClientResponse, room } from './server-client.ts';
import type { Load } from './server-limits.ts';

/** One write: small pieces cost more than their bytes do. */
const SLAB_BYTES = 256 * 1024;

export interface Writing {
  readonly response: ClientResponse;
  readonly client: Client;
  readonly load: Load;
  readonly pieces: () => Iterable<Uint8Array>;
  readonly zips: boolean;
}

export async function writePieces(writing: Writing, { status, headers }: ApiResponse): Promise<void> {
  const { response, client, load, pieces, zips } = writing;
  const zipped = zips ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {};
  response.writeHead(status, { ...headers, ...zipped });
  const slabs = slabsOf(pieces());
  const source = zips ? gzipped(slabs) : slabs;
  for await (const slab of source) {
    if (client.gone) return;
    if (!response.write(slab)) await room(response, client, load.limits.stallMs);
  }
  if (!client.gone) response.end();
}

/** What goes wrong on either side ends both. */
const gzipped = (slabs: Iterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(slabs, { objectMode: false }), createGzip({ level: 1 }), () => undefined);

function* slabsOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let [slab, size]: [Uint8Array[], number] = [[], 0];
  for (const piece of pieces) {
    slab.push(piece);
    size += piece.length;
    if (size < SLAB_BYTES) continue;
    yield Buffer.concat(slab, size);
    [slab, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(slab, size);
}
