// The account of a soak: a line after so many kills, every violation at once, and a table at the end.

import type { Killed } from './kill.ts';

export class Account {
  readonly #killed: Killed[] = [];
  readonly #expected: readonly number[];
  readonly #every: number;
  readonly #known: number;

  /** `known`: what was noted in earlier sittings. */
  constructor(expected: readonly number[], known: readonly Killed[], every: number) {
    this.#expected = expected;
    this.#every = every;
    this.#killed.push(...known.filter(({ nth }) => expected.includes(nth)));
    this.#known = this.#killed.length;
  }

  get missing(): readonly number[] {
    const made = new Set(this.#killed.map(({ nth }) => nth));
    return this.#expected.filter(nth => !made.has(nth));
  }

  isClean(): boolean {
    return this.missing.length === 0 && this.#violated.length === 0;
  }

  get #violated(): readonly Killed[] {
    return this.#killed.filter(({ violations }) => violations.length > 0);
  }

  /** The lines to print now; `seconds`: since this sitting began to kill. */
  add(killed: Killed, seconds: number): readonly string[] {
    this.#killed.push(killed);
    if (killed.violations.length > 0) return violationOf(killed);
    const here = this.#killed.length - this.#known;
    if (here % this.#every !== 0) return [];
    const each = `${(seconds / here).toFixed(1)} s per kill`;
    return [`${this.#killed.length} of ${this.#expected.length} kills, ${each}; the last after ${named(killed)}`];
  }

  /** `seconds`: of this whole sitting. */
  end(seconds: number): readonly string[] {
    const here = this.#killed.length - this.#known;
    const ways = (['there', 'back'] as const).map(way => this.#killed.filter(({ direction }) => direction === way));
    const [there = [], back = []] = ways;
    const inMoves = this.#killed.reduce((sum, each) => sum + each.seconds, 0);
    const rows = [
      ['kills there', there.length],
      ['kills back', back.length],
      ['kills missing', this.missing.length],
      ['seconds in moves', Math.round(inMoves)],
      [`seconds of this sitting (${here} kills)`, Math.round(seconds)],
      ['states of the source', new Set(this.#killed.map(({ code }) => code)).size],
      ['violations', this.#violated.length],
    ];
    const table = rows.map(([what, number]) => `${String(what).padEnd(40)}${String(number).padStart(8)}`);
    const earlier = this.#killed.slice(0, this.#known).filter(({ violations }) => violations.length > 0);
    return [...earlier.flatMap(violationOf), '', ...table];
  }
}

const named = ({ nth, write, direction }: Killed): string => `write ${nth} (${write}), ${direction}`;

const violationOf = (killed: Killed): readonly string[] =>
  killed.violations.map(violation => `VIOLATION after ${named(killed)}: ${violation}`);
