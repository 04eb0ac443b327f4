// What happened on the fleet, hour by hour: which Pod asked for which image when, and when a tag moved.

/** One Pod of a pool. */
export interface Provision {
  readonly atMs: number;
  readonly pool: string;
  readonly node: string;
  /** By tag, as runner pools name it. */
  readonly image: string;
}

/** The registry points a tag at other content. */
export interface TagMove {
  readonly atMs: number;
  readonly image: string;
  readonly version: number;
}

/** Somebody put an image on a Mac by digest before the first Pod came: tart itself never lets go of such a one. */
export interface Warming {
  readonly node: string;
  readonly image: string;
}

export interface Trace {
  readonly warmed: readonly Warming[];
  readonly provisions: readonly Provision[];
  readonly moves: readonly TagMove[];
  readonly images: readonly string[];
  readonly endMs: number;
}

const minute = (n: number): number => n * 60_000;
const tagged = (tag: string): string => `ghcr.io/tuist/tuist-runner:${tag}`;

const HOT = { pool: 'macos-26-5', node: 'mac-a', image: tagged('macos-26-5-0.7.0') };
/** On the hot pool's host. */
const IDLE = { pool: 'macos-26-3', node: 'mac-a', image: tagged('macos-26-3-0.7.0') };
const ELSEWHERE = { pool: 'macos-26-4-1', node: 'mac-b', image: tagged('macos-26-4-1-0.7.0') };

const TWO_HOURS = minute(120);
const HOT_PROVISIONS = 36;

/** The report's two hours: the hot pool provisions every 200 s, the idle ones now and then; two tags move meanwhile. */
export function trace(): Trace {
  const everyMs = TWO_HOURS / HOT_PROVISIONS;
  const hot = Array.from({ length: HOT_PROVISIONS }, (_, n) => ({ ...HOT, atMs: n * everyMs }));
  const idle = [5, 62, 97].map(at => ({ ...IDLE, atMs: minute(at) }));
  const elsewhere = [8, 71].map(at => ({ ...ELSEWHERE, atMs: minute(at) }));
  return {
    warmed: [HOT, IDLE],
    provisions: [...hot, ...idle, ...elsewhere].sort((a, b) => a.atMs - b.atMs),
    moves: [
      { atMs: minute(41), image: HOT.image, version: 2 },
      { atMs: minute(83), image: IDLE.image, version: 2 },
    ],
    images: [HOT.image, IDLE.image, ELSEWHERE.image],
    endMs: TWO_HOURS + minute(15),
  };
}

/** The beginning of a trace. */
export function first(minutes: number, { provisions, moves, ...rest }: Trace): Trace {
  const endMs = minute(minutes);
  const before = ({ atMs }: { readonly atMs: number }): boolean => atMs < endMs;
  return { provisions: provisions.filter(before), moves: moves.filter(before), ...rest, endMs };
}
