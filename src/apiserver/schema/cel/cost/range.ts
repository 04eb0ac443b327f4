// Ranges of sizes and costs, as CEL's estimate reckons with them: what cannot be bounded is the largest number.

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The largest number of 64 bits: sums and products stop there. */
const MOST = 2 ** 64;

export const fixed = (value: number): Range => ({ min: value, max: value });

export const NOTHING = fixed(0);
export const ONE = fixed(1);
export const UNKNOWN: Range = { min: 0, max: MOST };

const atMost = (value: number): number => Math.min(value, MOST);

export const sum = (...ranges: readonly Range[]): Range => ({
  min: atMost(ranges.reduce((total, { min }) => total + min, 0)),
  max: atMost(ranges.reduce((total, { max }) => total + max, 0)),
});

export const product = (a: Range, b: Range): Range => ({ min: atMost(a.min * b.min), max: atMost(a.max * b.max) });

/** Rounded up. */
export const scaled = ({ min, max }: Range, factor: number): Range => ({
  min: atMost(Math.ceil(min * factor)),
  max: atMost(Math.ceil(max * factor)),
});

/** Both of them and what is between. */
export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
