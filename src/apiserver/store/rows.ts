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
    const keys = keysOf(table, options);
    return page(keys, key => table.rows.get(key), options, revision);
  }

  /** The rows of a range as they were at `at`; undefined when history does not reach back so far. */
  rangeAt(storage: string, options: RangeOptions, at: number, history: History): Range | undefined {
    const undone = history.since(storage, at);
    if (undone === undefined) return undefined;
    const then = statesBefore(undone);
    const table = this.#table(storage);
    const { prefix, from } = bounds(options);
    const keys = new Set(keysOf(table, options));
    for (const [key, row] of then) {
      if (row === undefined) keys.delete(key);
      else if (key.startsWith(prefix) && key >= from) keys.add(key);
    }
    const rowAt = (key: string): Row | undefined => (then.has(key) ? then.get(key) : table.rows.get(key));
    return page([...keys].sort(byKey), rowAt, options, at);
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

function keysOf(table: Table, options: RangeOptions): string[] {
  const { prefix, from } = bounds(options);
  return table.keys.from(from, prefix);
}

function page(
  keys: readonly string[],
  rowOf: (key: string) => Row | undefined,
  options: RangeOptions,
  revision: number,
): Range {
  const wanted = options.limit === undefined ? keys : keys.slice(0, options.limit);
  const rows = wanted.map(rowOf).filter(row => row !== undefined);
  return { rows, remaining: keys.length - wanted.length, revision };
}

/** What each changed object was before the oldest of `changes` (newest first); undefined: not there. */
function statesBefore(changes: readonly Change[]): ReadonlyMap<string, Row | undefined> {
  const states = new Map<string, Row | undefined>();
  for (const change of changes) states.set(keyInStorage(change.row), change.previous);
  return states;
}
