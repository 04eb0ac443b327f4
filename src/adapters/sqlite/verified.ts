// Reads a file of ours from front to back and believes nothing: structure, the sum of each row, count and sum of all (api-21).

import type { DatabaseSync } from 'node:sqlite';
import { Damage } from './errors.ts';
import { addSum, COLUMNS, readStored, type StoredChange, sumOf } from './stored-change.ts';

export interface State {
  readonly revision: number;
  readonly compacted: number;
  readonly count: number;
  readonly sum: number;
}

/** The file's own account of what it holds. */
export function stateOf(db: DatabaseSync): State {
  const columns = db.prepare('SELECT revision, compacted, count, sum FROM state').get();
  if (columns === undefined) throw new Damage('table state is empty');
  const { revision, compacted, count, sum } = columns;
  return { revision: Number(revision), compacted: Number(compacted), count: Number(count), sum: Number(sum) };
}

/** Every page is where its table says, and no page is in two places. */
export function checkStructure(db: DatabaseSync): void {
  const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new Damage(`its structure is broken: ${String(found).replaceAll(/\s*\n\s*/g, ' ')}`);
}

/** Hands every change over in the order of revisions, each with its sum compared; throws at the end when some are missing. */
export function eachVerified(db: DatabaseSync, take: (change: StoredChange) => void): State {
  const state = stateOf(db);
  let [count, sum, newest] = [0, 0, Math.max(1, state.compacted)];
  for (const columns of db.prepare(`SELECT ${COLUMNS} FROM changes ORDER BY revision`).iterate()) {
    const change = readStored(columns);
    if (sumOf(change) !== change.sum) throw new Damage(`the change of revision ${change.revision} is not as written`);
    count += 1;
    sum = addSum(sum, change.sum);
    newest = Math.max(newest, change.revision);
    take(change);
  }
  if (count !== state.count || sum !== state.sum || newest !== state.revision) {
    const [held, said] = [`${count} changes up to revision ${newest}`, `${state.count} up to ${state.revision}`];
    throw new Damage(`it holds ${held}, and its table state says ${said}`);
  }
  return state;
}
