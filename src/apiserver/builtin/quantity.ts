// Quantities (`500m`, `2Gi`): reads them exactly and writes them in Kubernetes' one canonical form.

import { remembered } from '../../base/remembered.ts';

/** A number as digits times a power: 10 for decimal forms, 2 (in steps of ten) for binary ones. */
interface Parsed {
  readonly nano: bigint;
  readonly format: 'decimal' | 'exponent' | 'binary';
  /** Once it was asked for. */
  canonical?: string;
}

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+|[KMGTPE]i|[numkMGTPE]?)$/;

/** Powers of ten by suffix; `e3` says it in digits. */
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_SUFFIXES = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const NANO = 1_000_000_000n;

/** A quantity can hold no more than this (2^63 - 1), and no finer than a nano. */
const LARGEST = 2n ** 63n - 1n;

export const QUANTITY_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** The canonical form; undefined when `text` is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === undefined) return undefined;
  parsed.canonical ??= write(parsed);
  return parsed.canonical;
}

/** The value in billionths, rounded up; undefined when `text` is no quantity. Exact, for comparing and adding. */
export const nanoOf = (text: string): bigint | undefined => parse(text)?.nano;

/** Each is read several times per write: to be written, to be compared, to be added up. */
const parse = remembered((text): Parsed | undefined => {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;

  const digits = BigInt(`${whole}${fraction}`);
  const magnitude = scaled(digits, fraction.length, suffix);
  if (magnitude === undefined) return undefined;
  return { nano: sign === '-' ? -magnitude : magnitude, format: formatOf(suffix) };
});

function formatOf(suffix: string): Parsed['format'] {
  if (suffix.endsWith('i')) return 'binary';
  return /^[eE][+-]?\d/.test(suffix) ? 'exponent' : 'decimal';
}

/** Billionths, rounded up and capped as Kubernetes does it. */
function scaled(digits: bigint, fractionDigits: number, suffix: string): bigint | undefined {
  const format = formatOf(suffix);
  if (format === 'binary') {
    const power = BINARY_SUFFIXES.indexOf(suffix) + 1;
    return capped(ceilDiv(digits * 1024n ** BigInt(power) * NANO, 10n ** BigInt(fractionDigits)));
  }
  const exponent = format === 'exponent' ? Number(suffix.slice(1)) : DECIMAL[suffix];
  if (exponent === undefined) return undefined;
  const shift = exponent + 9 - fractionDigits;
  if (shift > 40) return digits === 0n ? 0n : LARGEST * NANO;
  if (shift < -400) return digits === 0n ? 0n : 1n;
  return capped(shift >= 0 ? digits * 10n ** BigInt(shift) : ceilDiv(digits, 10n ** BigInt(-shift)));
}

const capped = (nano: bigint): bigint => (nano > LARGEST * NANO ? LARGEST * NANO : nano);

const ceilDiv = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

function write({ nano, format }: Parsed): string {
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const magnitude = nano < 0n ? -nano : nano;
  // Below 1024 a binary quantity is written like a decimal one, and so is one that is no whole number.
  const isBinary = format === 'binary' && magnitude >= 1024n * NANO && magnitude % NANO === 0n;
  if (isBinary) return sign + writeBinary(magnitude / NANO);
  return sign + (format === 'exponent' ? writeExponent(magnitude) : writeDecimal(magnitude));
}

function writeBinary(value: bigint): string {
  let rest = value;
  let power = 0;
  while (power < BINARY_SUFFIXES.length && rest % 1024n === 0n) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${power === 0 ? '' : BINARY_SUFFIXES[power - 1]}`;
}

function writeDecimal(nano: bigint): string {
  const { digits, exponent } = inThousands(nano);
  const suffix = Object.keys(DECIMAL).find(key => DECIMAL[key] === exponent) ?? '';
  return `${digits}${suffix}`;
}

function writeExponent(nano: bigint): string {
  const { digits, exponent } = inThousands(nano);
  return exponent === 0 ? `${digits}` : `${digits}e${exponent}`;
}

/** The fewest digits with an exponent that has a suffix. */
function inThousands(nano: bigint): { digits: bigint; exponent: number } {
  let digits = nano;
  let exponent = -9;
  while (exponent < 18 && digits % 1000n === 0n) {
    digits /= 1000n;
    exponent += 3;
  }
  return { digits, exponent };
}
