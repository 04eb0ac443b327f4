// Header blocks of SPDY/3.1: pairs of counted texts, compressed in one stream per direction for a connection's whole life.

import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { DICTIONARY } from './spdy-dictionary.ts';

export type Headers = Readonly<Record<string, string>>;

/** One direction out. Blocks must be made in the order in which they are sent. */
export class HeaderWriter {
  readonly #deflate: Deflate = createDeflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH });

  write(headers: Headers): Promise<Buffer> {
    return through(this.#deflate, plain(headers));
  }

  close(): void {
    this.#deflate.close();
  }
}

/** One direction in. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: DICTIONARY });

  async read(block: Buffer): Promise<Headers> {
    return pairs(await through(this.#inflate, block));
  }

  close(): void {
    this.#inflate.close();
  }
}

/** What comes out for these bytes: all of it, since each block ends with a flush. */
function through(codec: Deflate | Inflate, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer): void => void chunks.push(chunk);
    codec.on('data', take);
    codec.once('error', reject);
    codec.write(bytes, () => {
      codec.off('data', take);
      codec.off('error', reject);
      resolve(Buffer.concat(chunks));
    });
  });
}

function plain(headers: Headers): Buffer {
  const entries = Object.entries(headers);
  return Buffer.concat([uint32(entries.length), ...entries.flatMap(pair => pair.flatMap(counted))]);
}

function counted(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [uint32(bytes.length), bytes];
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function pairs(block: Buffer): Headers {
  let at = 4;
  const text = (): string => {
    const length = block.readUInt32BE(at);
    const end = at + 4 + length;
    const value = block.toString('utf8', at + 4, end);
    at = end;
    return value;
  };
  const count = block.readUInt32BE(0);
  return Object.fromEntries(Array.from({ length: count }, () => [text().toLowerCase(), text()]));
}
