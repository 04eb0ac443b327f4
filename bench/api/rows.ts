// What one row of the bench's table is: a figure of each server, what is asked of their ratio, and whether it counts.

import type { Run } from './load.ts';
import type { ServerName } from './servers.ts';

/** Above this share of a core the client is what was measured. */
const MAX_CLIENT_SHARE = 0.8;

export interface Figure {
  readonly value: number;
  /** Of one core; absent where no client was at work. */
  readonly clientShare?: number;
  /** CPU time of the server per operation. */
  readonly serverMicros?: number;
  /** What is worth knowing besides. */
  readonly note?: string;
}

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: Figure;
  readonly theirs?: Figure;
  /** How many times better ours must be: `more` of it, or `less`; absent: told, not asked. */
  readonly target?: { readonly better: 'more' | 'less'; readonly times: number };
  /** A bound on our own figure alone. */
  readonly atMost?: number;
}

export type Verdict = 'pass' | 'fail' | 'void' | '';

/** How many times better ours is; undefined without the other. */
export function ratioOf({ ours, theirs, target }: Row): number | undefined {
  if (theirs === undefined) return undefined;
  return target?.better === 'less' ? theirs.value / ours.value : ours.value / theirs.value;
}

export function verdictOf(row: Row): Verdict {
  if (isVoid(row.ours) || isVoid(row.theirs)) return 'void';
  if (row.atMost !== undefined) return row.ours.value <= row.atMost ? 'pass' : 'fail';
  const ratio = ratioOf(row);
  if (ratio === undefined || row.target === undefined) return '';
  return ratio >= row.target.times ? 'pass' : 'fail';
}

const isVoid = (figure: Figure | undefined): boolean => (figure?.clientShare ?? 0) > MAX_CLIENT_SHARE;

/** Operations per second. */
export function perSecond({ count, ms, clientShare, serverCpuMs }: Run): Figure {
  return { value: (count / ms) * 1000, clientShare, serverMicros: (serverCpuMs / count) * 1000 };
}

/** Rows out of the same figures of each server, by name. */
export function paired(
  figures: ReadonlyMap<ServerName, ReadonlyMap<string, Figure>>,
  about: (name: string) => Pick<Row, 'unit' | 'target' | 'atMost'>,
): readonly Row[] {
  const theirs = figures.get('kube-apiserver');
  return [...(figures.get('pippin') ?? [])].map(([name, ours]) => {
    const other = theirs?.get(name);
    return { name, ours, ...about(name), ...(other === undefined ? {} : { theirs: other }) };
  });
}
