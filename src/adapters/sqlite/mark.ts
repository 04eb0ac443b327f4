// The mark beside the API's file: the newest revision that was acknowledged. It unmasks a write-ahead log that lost its end,
// which SQLite takes for the end of a crashed write and forgets in silence (api-21).

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Two slots in two sectors, written in turn: one torn write leaves the other. */
const SLOT_BYTES = 512;
const ENTRY_BYTES = 12;

export const markFileOf = (file: string): string => `${file}-mark`;

/** The revision in the mark; 0 when there is none that can be read: a mark only ever adds knowledge. */
export function markedRevision(file: string): number {
  const path = markFileOf(file);
  if (!existsSync(path)) return 0;
  const bytes = readFileSync(path);
  return Math.max(entryAt(bytes, 0), entryAt(bytes, SLOT_BYTES));
}

function entryAt(bytes: Buffer, offset: number): number {
  if (bytes.length < offset + ENTRY_BYTES) return 0;
  const revision = bytes.subarray(offset, offset + 8);
  return crc32(revision) === bytes.readUInt32LE(offset + 8) ? Number(revision.readBigUInt64LE()) : 0;
}

/** An open mark. Written after each sync of the log, itself without one: it may lag after a power cut, and never leads. */
export class Mark {
  readonly #fd: number;
  readonly #entry = Buffer.alloc(ENTRY_BYTES);
  #slot = 0;

  constructor(file: string) {
    this.#fd = openSync(markFileOf(file), existsSync(markFileOf(file)) ? 'r+' : 'w+', 0o600);
  }

  set(revision: number): void {
    this.#entry.writeBigUInt64LE(BigInt(revision));
    this.#entry.writeUInt32LE(crc32(this.#entry.subarray(0, 8)), 8);
    writeSync(this.#fd, this.#entry, 0, ENTRY_BYTES, this.#slot);
    this.#slot = SLOT_BYTES - this.#slot;
  }

  close(): void {
    fsyncSync(this.#fd);
    closeSync(this.#fd);
  }
}
