// What the command line of the move soak asks for.

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Side } from '../management.ts';

export interface Asked {
  readonly side: Side;
  readonly machines: number;
  /** So many of the writes, evenly; undefined: all. */
  readonly sample: number | undefined;
  /** Each pair of APIs has a process and a fleet of its own. */
  readonly pairs: number;
  /** A line is printed after so many kills. */
  readonly every: number;
  /** Where kills are noted. */
  readonly folder: string | undefined;
  /** This process has one of the pairs. */
  readonly isPair: boolean;
}

const OPTIONS = {
  real: { type: 'boolean', default: false },
  machines: { type: 'string', default: '10' },
  sample: { type: 'string' },
  pairs: { type: 'string' },
  every: { type: 'string', default: '10' },
  records: { type: 'string' },
  pair: { type: 'boolean', default: false },
} as const;

/** Throws words for whoever typed it. */
export function asked(args: readonly string[]): Asked {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  return {
    side: values.real ? 'real' : 'embedded',
    machines: positive('machines', values.machines),
    sample: values.sample === undefined ? undefined : positive('sample', values.sample),
    pairs: values.pairs === undefined ? availableParallelism() : positive('pairs', values.pairs),
    every: positive('every', values.every),
    folder: values.records,
    isPair: values.pair,
  };
}

function positive(option: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${option} is a whole number from 1, not "${text}"`);
  return Number(text);
}
