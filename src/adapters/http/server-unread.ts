// What clients have been given and do not read: how much a connection, and all together, may hold of it (api-7).

export interface UnreadBounds {
  /** Of frames that one connection has begun to read; what many of its streams hold counts once. */
  readonly connectionBytes: number;
  /** The same for all connections. */
  readonly serverBytes: number;
}

export const defaultUnread: UnreadBounds = { connectionBytes: 32 * 1024 * 1024, serverBytes: 256 * 1024 * 1024 };

/** One write: more would only wait in memory for a slow client. */
const PIECE_BYTES = 64 * 1024;
/** One write of a connection that already has a lot to send: it is encrypted as a whole, which copies it. */
const SMALL_PIECE_BYTES = 16 * 1024;
const MANY_BYTES = 4 * 1024 * 1024;

/** A stream that waits until its client reads. */
interface Waiting {
  readonly bytes: Uint8Array;
  readonly written: number;
  readonly drop: () => void;
}

/** Those that wait, the longest first. What several of them wait with is counted once: it is there once. */
class Waits {
  readonly #waiting = new Set<Waiting>();
  readonly #holders = new Map<Uint8Array, number>();
  bytes = 0;
  /** Handed over and not yet sent. */
  written = 0;

  add(one: Waiting): void {
    this.#waiting.add(one);
    this.written += one.written;
    const holders = this.#holders.get(one.bytes) ?? 0;
    this.#holders.set(one.bytes, holders + 1);
    if (holders === 0) this.bytes += one.bytes.length;
  }

  remove(one: Waiting): void {
    this.#waiting.delete(one);
    this.written -= one.written;
    const holders = this.#holders.get(one.bytes) ?? 0;
    if (holders > 1) this.#holders.set(one.bytes, holders - 1);
    else if (this.#holders.delete(one.bytes)) this.bytes -= one.bytes.length;
  }

  /** Lets go of those who have read nothing for longest. One alone may hold what it holds. */
  dropAbove(bound: number): void {
    for (const longest of this.#waiting) {
      if (this.bytes <= bound || this.#waiting.size === 1) return;
      longest.drop();
    }
  }
}

/** All that clients of one server have not read. */
export class Unread {
  readonly #bounds: UnreadBounds;
  readonly #all = new Waits();
  readonly #connections = new WeakMap<object, Waits>();

  constructor(bounds: UnreadBounds = defaultUnread) {
    this.#bounds = bounds;
  }

  /** Held for clients, each frame once. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** A stream of this connection; `drop` ends it: who is in the middle of a frame can be told nothing more. */
  reader(connection: object, drop: () => void): Reader {
    const waits = this.#connections.get(connection) ?? new Waits();
    this.#connections.set(connection, waits);
    let waiting: Waiting | undefined;
    const goesOn = (): void => {
      if (waiting === undefined) return;
      waits.remove(waiting);
      this.#all.remove(waiting);
      waiting = undefined;
    };
    const dropped = (): void => {
      goesOn();
      drop();
    };
    return {
      mayTake: () => (waits.written < MANY_BYTES ? PIECE_BYTES : SMALL_PIECE_BYTES),
      waits: (bytes, written) => {
        goesOn();
        waiting = { bytes, written, drop: dropped };
        waits.add(waiting);
        this.#all.add(waiting);
        waits.dropAbove(this.#bounds.connectionBytes);
        this.#all.dropAbove(this.#bounds.serverBytes);
      },
      goesOn,
    };
  }
}

/** One stream, as it is written to. */
export interface Reader {
  /** How many bytes it may be given at once. */
  mayTake(): number;
  /** It has not read what was just written, and holds these frames until it goes on. */
  waits(bytes: Uint8Array, written: number): void;
  goesOn(): void;
}
