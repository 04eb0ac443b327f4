// A large answer, written as fast as its client reads it: what is not read yet is not put together yet.

import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ApiResponse } from '../../kube/transport.ts';
import type { Load } from './server-limits.ts';
import type { Client, ClientResponse } from './server-request.ts';

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
  const { response, client, pieces, zips } = writing;
  const zipped = zips ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {};
  response.writeHead(status, { ...headers, ...zipped });
  const slabs = slabsOf(pieces());
  const source = zips ? Readable.from(slabs, { objectMode: false }).pipe(createGzip({ level: 1 })) : slabs;
  for await (const slab of source) {
    if (client.gone) return;
    if (!response.write(slab)) await room(writing);
  }
  if (!client.gone) response.end();
}

/** Resolves when there is room for more, or nobody to read it; a client that stalls is let go. */
async function room({ response, client, load }: Writing): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const stalled = new Promise<void>(resolve => {
    late = setTimeout(() => {
      client.gone = true;
      response.destroy();
      resolve();
    }, load.limits.stallMs);
  });
  await Promise.race([once(response, 'drain'), client.leaves, stalled]);
  clearTimeout(late);
}

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
