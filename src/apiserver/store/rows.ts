// The newest row of every object, in memory and in order; earlier states are found by undoing history.

import { type Change, keyInStorage, type Range, type RangeOptions, type Row, type StoreKey } from '../store.ts';
import type { History } from './history.ts';
import { OrderedKeys } from './ordered-keys.ts';

interface Table {
  readonly rows: Map<string, Row>;
  readonly keys: OrderedKeys;
}

/** What is stored now. */
export class Rows {
  readonly #tables = new Map<string, Table>();

  get(key: StoreKey): Row | undefined {
    return this.#tables.get(key.storage)?.rows.get(keyInStorage(key));
  }

  set(row: Row): void {
    const table = this.#table(row.storage);
    const key = keyInStorage(row);
    if (!table.rows.has(key)) table.keys.add(key);
    table.rows.set(key, row);
  }

  delete(key: StoreKey): void {
    const table = this.#table(key.storage);
    table.rows.delete(keyInStorage(key));
    table.keys.delete(keyInStorage(key));
  }

  /** The rows of a range now. */
  range(storage: string, options: RangeOptions, revision: number): Range {
    const table = this.#table(storage);
    const { prefix, from } = bounds(options);
    const keys = table.keys.from(from, prefix, options.limit);
    const remaining = options.limit === undefined ? 0 : table.keys.count(from, prefix) - keys.length;
    return { rows: keys.map(key => table.rows.get(key)).filter(row => row !== undefined), remaining, revision };
  }

  /** The rows of a range as they were at `at`; undefined when history does not reach back so far. */
  rangeAt(storage: string, options: RangeOptions, at: number, history: History): Range | undefined {
    const undone = history.since(storage, at);
    if (undone === undefined) return undefined;
    const { prefix, from } = bounds(options);
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const then = statesBefore(undone, key => key.startsWith(prefix) && key >= from);
    const table = this.#table(storage);
    // Of those that are there now at most as many are new as were changed.
    const keys = new Set(table.keys.from(from, prefix, limit + then.size));
    for (const [key, row] of then) {
      if (row === undefined) keys.delete(key);
      else keys.add(key);
    }
    const page = [...keys].sort(byKey).slice(0, limit);
    const rows = page
      .map(key => (then.has(key) ? then.get(key) : table.rows.get(key)))
      .filter(row => row !== undefined);
    return { rows, remaining: table.keys.count(from, prefix) + gained(table, then) - rows.length, revision: at };
  }

  #table(storage: string): Table {
    let table = this.#tables.get(storage);
    if (table === undefined) {
      table = { rows: new Map(), keys: new OrderedKeys() };
      this.#tables.set(storage, table);
    }
    return table;
  }
}

const byKey = (a: string, b: string): number => (a < b ? -1 : 1);

function bounds(options: RangeOptions): { prefix: string; from: string } {
  const prefix = options.namespace === undefined ? '' : `${options.namespace}/`;
  // The smallest string after `after`: it is itself left out.
  const from = options.after === undefined ? prefix : `${options.after}\0`;
  return { prefix, from };
}

/** How many more there were then than there are now. */
function gained(table: Table, then: ReadonlyMap<string, Row | undefined>): number {
  let more = 0;
  for (const [key, row] of then) more += Number(row !== undefined) - Number(table.rows.has(key));
  return more;
}

/** What each changed object was before the oldest of `changes` (newest first); undefined: not there. */
function statesBefore(
  changes: readonly Change[],
  isWanted: (key: string) => boolean,
): ReadonlyMap<string, Row | undefined> {
  const states = new Map<string, Row | undefined>();
  for (const change of changes) {
    const key = keyInStorage(change.row);
    if (isWanted(key)) states.set(key, change.previous);
  }
  return states;
}
