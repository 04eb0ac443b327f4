// An object becomes a row: its resourceVersion is the revision, it is turned into bytes once, and the bytes are what is kept.

import type { JsonObject } from '../parts.ts';
import type { Row, StoreKey } from '../store.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The row of `object` at `revision`. */
export function rowOf(key: StoreKey, object: JsonObject, revision: number): Row {
  const metadata = { ...(object.metadata as JsonObject), resourceVersion: String(revision) };
  const stamped: JsonObject = { ...object, metadata };
  const { apiVersion, kind, ...rest } = stamped;
  const body = encoder.encode(JSON.stringify(rest));
  const row = new BytesRow(key, { revision, apiVersion: String(apiVersion ?? ''), kind: String(kind ?? ''), body });
  row.know(stamped, latest);
  return row;
}

/** What a row consists of besides its key. */
export type RowContent = Pick<Row, 'revision' | 'apiVersion' | 'kind' | 'body'>;

/** A row as it was kept. */
export function keptRow(key: StoreKey, content: RowContent): Row {
  return new BytesRow(key, content);
}

/**
 * A parsed object takes twice the memory of its bytes, in pieces that each garbage collection walks, and most objects
 * are written, listed and watched as bytes alone (api-9): only those that were asked for last are kept parsed.
 */
class BytesRow implements Row {
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly body: Uint8Array;
  #object: JsonObject | undefined;
  /** What remembers the parsed form. */
  #keeper: ParsedRows | undefined;
  #wasParsed = false;

  constructor({ storage, namespace, name }: StoreKey, { revision, apiVersion, kind, body }: RowContent) {
    this.storage = storage;
    this.namespace = namespace;
    this.name = name;
    this.revision = revision;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.body = body;
  }

  get object(): JsonObject {
    if (this.#object !== undefined) return this.#object;
    const rest = JSON.parse(decoder.decode(this.body)) as JsonObject;
    const object = { ...(this.apiVersion === '' ? {} : { apiVersion: this.apiVersion, kind: this.kind }), ...rest };
    // What is asked for again and again (roles, what selectors look at) is kept longer than what is read once.
    this.know(object, this.#wasParsed ? favourites : latest);
    this.#wasParsed = true;
    return object;
  }

  /** Remembers the parsed form for a while. */
  know(object: JsonObject, keeper: ParsedRows): void {
    this.#object = object;
    this.#keeper = keeper;
    keeper.add(this);
  }

  forget(keeper: ParsedRows): void {
    if (this.#keeper === keeper) this.#object = undefined;
  }
}

/** The rows whose objects are parsed now, the oldest first, up to a number of bytes. */
class ParsedRows {
  readonly #bound: number;
  #rows: BytesRow[] = [];
  #forgotten = 0;
  #bytes = 0;

  constructor(boundBytes: number) {
    this.#bound = boundBytes;
  }

  add(row: BytesRow): void {
    this.#rows.push(row);
    this.#bytes += row.body.length;
    while (this.#bytes > this.#bound && this.#rows.length - this.#forgotten > 1) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.#rows[this.#forgotten];
    this.#forgotten += 1;
    this.#bytes -= oldest?.body.length ?? 0;
    oldest?.forget(this);
    // Cutting them off one by one would cost O(n).
    if (this.#forgotten * 2 < this.#rows.length) return;
    this.#rows = this.#rows.slice(this.#forgotten);
    this.#forgotten = 0;
  }
}

/**
 * Shared by all stores of a process: whoever runs several has one budget. Small, because what lives longer than the
 * turns that need it is copied twice by the garbage collector before it is let go.
 */
const latest = new ParsedRows(256 * 1024);
/** What was parsed more than once. */
const favourites = new ParsedRows(16 * 1024 * 1024);
