// The mark beside the API's file: the newest revision that was acknowledged. It unmasks a write-ahead log that lost its end,
// which SQLite takes for the end of a crashed write and forgets in silence (api-21).

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { markLost } from './errors.ts';
import { syncFolderOf } from './folder-sync.ts';

/** Two slots in two sectors, written in turn, never longer than at first: whatever a power cut tears, both can be read. */
const SLOT_BYTES = 512;
const ENTRY_BYTES = 12;

export const markFileOf = (file: string): string => `${file}-mark`;

/** Makes the mark, on disk with its name. Before its store: one without a mark was not left by us. */
export function makeMark(file: string, revision: number): void {
  const draft = `${markFileOf(file)}-new`;
  const bytes = Buffer.alloc(2 * SLOT_BYTES);
  for (const at of [0, SLOT_BYTES]) entryOf(revision).copy(bytes, at);
  writeFileSync(draft, bytes, { mode: 0o600, flush: true });
  renameSync(draft, markFileOf(file));
  syncFolderOf(file);
}

/** The revision in the mark. Without one that can be read nobody knows whether the store is complete. */
export function markedRevision(file: string): number {
  // A server may be writing to it: what is torn for one reader is whole for the next.
  for (let times = 0; times < 2; times += 1) {
    const entries = entriesIn(file);
    if (entries.length === 2) return Math.max(...entries);
  }
  throw markLost(file, existsSync(markFileOf(file)) ? 'cannot be read' : 'is missing');
}

/** What can be read of it, for who takes the store as it is; 0 when nothing can. */
export const lastMarkedRevision = (file: string): number => Math.max(0, ...entriesIn(file));

/** Two of a whole mark. */
function entriesIn(file: string): readonly number[] {
  if (!existsSync(markFileOf(file))) return [];
  const bytes = readFileSync(markFileOf(file));
  return [0, SLOT_BYTES].flatMap(offset => entryAt(bytes, offset));
}

function entryAt(bytes: Buffer, offset: number): readonly number[] {
  if (bytes.length < offset + ENTRY_BYTES) return [];
  const revision = bytes.readBigUInt64LE(offset);
  return entryOf(revision).equals(bytes.subarray(offset, offset + ENTRY_BYTES)) ? [Number(revision)] : [];
}

function entryOf(revision: number | bigint): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeBigUInt64LE(BigInt(revision));
  entry.writeUInt32LE(crc32(entry.subarray(0, 8)), 8);
  return entry;
}

/** An open mark. Written after each sync of the log, itself without one: it may lag after a power cut, and never leads. */
export class Mark {
  readonly #fd: number;
  #slot = 0;

  constructor(file: string) {
    this.#fd = openSync(markFileOf(file), 'r+');
  }

  set(revision: number): void {
    writeSync(this.#fd, entryOf(revision), 0, ENTRY_BYTES, this.#slot);
    this.#slot = SLOT_BYTES - this.#slot;
  }

  close(): void {
    fsyncSync(this.#fd);
    closeSync(this.#fd);
  }
}
