// A set of numbers of any size that knows the first one absent from a place on, however many in a row are present.

/** Numbers per word: the bits that one bitwise operation covers. */
const WIDTH = 32;
const SHIFT = 5n;
const FULL = -1;

/**
 * A sparse tree of bitmaps. A bit of the lowest level is a number; a bit of each higher level says that a whole word below
 * is full. Words without a bit are not stored, so memory grows with what is in it, and a look skips what is full: every
 * operation takes steps in the logarithm of the longest full run.
 */
export class NumberSet {
  private readonly levels: Map<bigint, number>[] = [];

  has(number: bigint): boolean {
    return (this.word(0, number >> SHIFT) & bitOf(number)) !== 0;
  }

  add(number: bigint): void {
    let at = number;
    for (let level = 0; ; level++) {
      const place = at >> SHIFT;
      const before = this.word(level, place);
      const after = before | bitOf(at);
      if (after !== before) this.level(level).set(place, after);
      if (after !== FULL || before === FULL) return;
      at = place;
    }
  }

  delete(number: bigint): void {
    let at = number;
    for (let level = 0; ; level++) {
      const place = at >> SHIFT;
      const before = this.word(level, place);
      const after = before & ~bitOf(at);
      if (after === before) return;
      if (after === 0) this.level(level).delete(place);
      else this.level(level).set(place, after);
      if (before !== FULL) return;
      at = place;
    }
  }

  /** The lowest number from `from` on that is not in the set. */
  firstAbsent(from: bigint): bigint {
    return this.firstClear(0, from);
  }

  private firstClear(level: number, from: bigint): bigint {
    if (this.levels[level] === undefined) return from;
    const place = from >> SHIFT;
    const bit = lowestClear(this.word(level, place), Number(from & 31n));
    if (bit < WIDTH) return (place << SHIFT) | BigInt(bit);
    const next = this.firstClear(level + 1, place + 1n);
    return (next << SHIFT) | BigInt(lowestClear(this.word(level, next), 0));
  }

  private word(level: number, place: bigint): number {
    return this.levels[level]?.get(place) ?? 0;
  }

  private level(level: number): Map<bigint, number> {
    const words = this.levels[level] ?? new Map<bigint, number>();
    this.levels[level] = words;
    return words;
  }
}

const bitOf = (number: bigint): number => 1 << Number(number & 31n);

/** The lowest bit from `from` on that is 0; 32 when all are 1. */
function lowestClear(word: number, from: number): number {
  const clear = ~word & (-1 << from);
  return clear === 0 ? WIDTH : 31 - Math.clz32(clear & -clear);
}
