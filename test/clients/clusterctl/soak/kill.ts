// One kill of clusterctl in the middle of a move: after which write, on which way, and what came of it.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { When } from '../shell.ts';

/** A kill, judged. */
export interface Killed {
  /** The side and the size of the fleet: one file of records. */
  readonly scenario: string;
  /** After the first write: 1. */
  readonly nth: number;
  readonly direction: 'there' | 'back';
  /** The write after which it was killed. */
  readonly write: string;
  /** Of the whole move, mended and gone on with. */
  readonly seconds: number;
  readonly violations: readonly string[];
  /** Of the source when it was made. */
  readonly code: string;
}

export type NewKilled = Omit<Killed, 'scenario' | 'code'>;

/** So many of `total` writes, evenly. */
export function evenly(count: number, total: number): readonly number[] {
  const few = Math.min(count, total);
  return Array.from({ length: few }, (_, n) => Math.round(((n + 0.5) * total) / few));
}

export function afterWrite(nth: number): When {
  let seen = 0;
  return () => ++seen === nth;
}

const source = resolve(import.meta.dirname, '../../../../src');

/** Other text, other digest: kills of several sittings say of what code they are. */
export function digestOfSource(folder: string = source): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.test.ts');
