// Durations as schemas' formats take them: Go's own, and any text that has a whole number before a unit in words.

const GO_DURATION = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
/** A run of digits is tried from its beginning alone: the time grows with the length. */
const AMOUNT = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
/** Whole or as a beginning of more: `d` is a day, and so are `days` and `dayz`. */
const UNIT = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|week.*)$/;
const LARGEST = 2n ** 63n - 1n;

export function isDuration(text: string): boolean {
  if (/^[+-]?0$/.test(text) || GO_DURATION.test(text)) return true;
  let hasUnit = false;
  for (const [, amount = '', unit = ''] of text.matchAll(AMOUNT)) {
    if (amount.length > 18 && BigInt(amount) > LARGEST) return false;
    hasUnit ||= UNIT.test(unit.toLowerCase());
  }
  return hasUnit;
}
