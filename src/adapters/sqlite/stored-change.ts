// One change as a row of the file: its columns, its sum over all of them, and the way back.

import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { keptRow } from '../../apiserver/store/serialise.ts';
import type { Change } from '../../apiserver/store.ts';

export interface StoredChange {
  readonly revision: number;
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
  readonly deleted: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly body: Uint8Array;
  readonly sum: number;
}

export const COLUMNS = 'revision, storage, namespace, name, deleted, apiVersion, kind, body, sum';

/** The sums of all rows are added up below this bound: exact as a JavaScript number. */
const SUM_BOUND = 2 ** 48;

export const addSum = (total: number, sum: number): number => (total + sum) % SUM_BOUND;
export const takeSum = (total: number, sum: number): number => (total - sum + SUM_BOUND) % SUM_BOUND;

/** CRC-32 over every column, as etcd's log has it over every record. */
export function sumOf(row: Omit<StoredChange, 'sum'>): number {
  const { revision, storage, namespace, name, deleted, apiVersion, kind, body } = row;
  return crc32(body, crc32(`${revision}\n${storage}\n${namespace}\n${name}\n${deleted}\n${apiVersion}\n${kind}\n`));
}

export function storedChange({ type, row }: Change): StoredChange {
  const { revision, storage, namespace, name, apiVersion, kind, body } = row;
  const stored = {
    revision,
    storage,
    namespace,
    name,
    deleted: type === 'deleted' ? 1 : 0,
    apiVersion,
    kind,
    body,
  };
  return { ...stored, sum: sumOf(stored) };
}

/** Adds rows as they are. */
export function inserter(db: DatabaseSync): (row: StoredChange) => void {
  const insert = db.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return ({ revision, storage, namespace, name, deleted, apiVersion, kind, body, sum }) => {
    insert.run(revision, storage, namespace, name, deleted, apiVersion, kind, body, sum);
  };
}

/** The columns of a row as they were read. */
export function readStored(columns: Record<string, unknown>): StoredChange {
  const { revision, storage, namespace, name, deleted, apiVersion, kind, body, sum } = columns;
  return {
    revision: Number(revision),
    storage: String(storage),
    namespace: String(namespace),
    name: String(name),
    deleted: Number(deleted),
    apiVersion: String(apiVersion),
    kind: String(kind),
    body: body instanceof Uint8Array ? body : new Uint8Array(),
    sum: Number(sum),
  };
}

/** The change itself; whoever replays it knows the state before. */
export function changeOf(stored: StoredChange): Change {
  const { revision, storage, namespace, name, deleted, apiVersion, kind, body } = stored;
  const row = keptRow({ storage, namespace, name }, { revision, apiVersion, kind, body });
  return { type: deleted === 1 ? 'deleted' : 'modified', row, previous: undefined };
}
