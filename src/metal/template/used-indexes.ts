// Which numbers of one Template are in use, and the lowest that is not: a tree of bits, O(log n) whatever the gaps.

const BITS = 5;
const WIDTH = 1 << BITS;

/** 7 levels of 5 bits: more than any 32-bit number needs. */
const LEVELS = 7;

const ALL_USED = -1;

/** Sparse: memory follows the numbers in use, not the largest of them. */
export class UsedIndexes {
  /** Words of 32 bits by number; above the lowest level a bit says that all below it is in use. */
  private readonly levels: readonly Map<number, number>[] = Array.from({ length: LEVELS }, () => new Map());

  add(index: number): void {
    let at = index;
    for (const level of this.levels) {
      const word = Math.floor(at / WIDTH);
      const bits = (level.get(word) ?? 0) | (1 << (at % WIDTH));
      level.set(word, bits);
      if (bits !== ALL_USED) return;
      at = word;
    }
  }

  delete(index: number): void {
    let at = index;
    for (const level of this.levels) {
      const word = Math.floor(at / WIDTH);
      const before = level.get(word) ?? 0;
      const bits = before & ~(1 << (at % WIDTH));
      if (bits === 0) level.delete(word);
      else level.set(word, bits);
      if (before !== ALL_USED) return;
      at = word;
    }
  }

  /** The lowest number that is not in use. */
  lowestFree(): number {
    let at = 0;
    for (const level of this.levels.toReversed()) at = at * WIDTH + lowestZero(level.get(at) ?? 0);
    return at;
  }
}

function lowestZero(bits: number): number {
  const zeros = ~bits;
  return WIDTH - 1 - Math.clz32(zeros & -zeros);
}
