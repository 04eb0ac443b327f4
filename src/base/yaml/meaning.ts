// Whether a text without quotes would be read as a text, or as a number, a date, a truth value or nothing.

import { isTimestamp } from './timestamp.ts';

const WORDS = new Set([
  '',
  '~',
  ...['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null'].flatMap(word => [
    word,
    titled(word),
    word.toUpperCase(),
  ]),
  ...['.nan', '.inf', '+.inf', '-.inf'].flatMap(word => [word, word.replace('inf', 'Inf'), word.toUpperCase()]),
  '.NaN',
]);

function titled(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** `12:34:56`, which YAML 1.1 reads in base 60. Upstream's reader does not, its writer quotes it for those that do. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)|0([0-7]*)|([1-9][0-9]*))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** Without a digit before the point, underscores separate digits and stand nowhere else. */
const FRACTION = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
/** A slip of upstream's reader, which tries what follows `0b` as a number with a sign of its own. */
const BINARY_WITH_INNER_SIGN = /^0b([-+]?)([01]+)$/;

export function readsAsText(text: string): boolean {
  if (WORDS.has(text)) return false;
  if (BASE_60.test(text)) return false;
  if (text.startsWith('.')) return !(FRACTION.test(text) && fitsDouble(text));
  return !(/^[-+0-9]/.test(text) && readsAsNumberOrDate(text));
}

function readsAsNumberOrDate(text: string): boolean {
  if (isTimestamp(text)) return true;
  const digits = text.replaceAll('_', '');
  return isInteger(digits) || isFloat(digits);
}

const isFloat = (text: string): boolean => FLOAT.test(text) && fitsDouble(text);

/** A number that overflows is a text again. */
const fitsDouble = (text: string): boolean => Number.isFinite(Number(text.replaceAll('_', '')));

function isInteger(text: string): boolean {
  const [, sign = '', withBase, octal, decimal] = INTEGER.exec(text) ?? [];
  if (withBase !== undefined) return fits(sign, BigInt(withBase));
  if (decimal !== undefined) return fits(sign, BigInt(decimal));
  if (octal !== undefined) return fits(sign, BigInt(`0o${octal || '0'}`));
  const [, innerSign = '', bits] = BINARY_WITH_INNER_SIGN.exec(text) ?? [];
  return bits !== undefined && fits(innerSign, BigInt(`0b${bits}`));
}

const SIGNED_LIMIT = 2n ** 63n;
const UNSIGNED_LIMIT = 2n ** 64n;

/** In 64 bits: without a sign also what needs all of them. */
function fits(sign: string, size: bigint): boolean {
  if (sign === '-') return size <= SIGNED_LIMIT;
  return size < (sign === '+' ? SIGNED_LIMIT : UNSIGNED_LIMIT);
}
