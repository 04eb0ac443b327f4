// What a client does on a server, as data: the parts of its tour, and what is said at each stop.

import type { Side } from './sides.ts';

export interface Topic {
  readonly name: string;
  /** Each is compared by itself. */
  readonly lines: readonly string[];
  /** Lines at which the two servers differ, by the number of the difference in docs/api-differences.md. */
  readonly differences?: Readonly<Record<string, number>>;
}

/** By topic: what was said at each of its lines. */
export type Walked = ReadonlyMap<string, readonly string[]>;

export interface ForeignClient {
  readonly name: string;
  readonly topics: readonly Topic[];
  walk(side: Side): Promise<Walked>;
}
