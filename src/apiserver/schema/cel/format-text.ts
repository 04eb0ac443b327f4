// `string.format`: the verbs %s %d %f %e %b %o %x %X, each fed by the next value.

import { typeOfValue } from './type-names.ts';

/** Throws on a verb that does not fit its value, as CEL does. */
export function formatText(pattern: string, values: readonly unknown[]): string {
  let used = 0;
  const text = pattern.replaceAll(
    /%(?:%|(\.\d+)?([a-zA-Z]))/g,
    (_, precision: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%';
      if (used >= values.length) throw new Error(`index ${used} out of range`);
      const value = values[used];
      used += 1;
      return formatted(verb, value, precision === undefined ? 6 : Number(precision.slice(1)));
    },
  );
  return text;
}

function formatted(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case 's':
      return plain(value);
    case 'd':
      return integerText(value, 10, 'decimal clause can only be used on integers');
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integerText(value, 2, 'only integers and bools can be formatted as binary');
    case 'o':
      return integerText(value, 8, 'octal clause can only be used on integers');
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    case 'f':
      return double(value, 'fixed-point').toFixed(precision);
    case 'e':
      return scientific(double(value, 'scientific'));
    default:
      throw new Error(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function integerText(value: unknown, base: number, words: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  throw unfit(words, value);
}

function hexadecimal(value: unknown): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerText(value, 16, 'only integers, byte buffers, and strings can be formatted as hex');
}

function double(value: unknown, clause: string): number {
  if (typeof value === 'number') return value;
  throw unfit(`${clause} clause can only be used on doubles`, value);
}

const unfit = (words: string, value: unknown): Error =>
  new Error(`error during formatting: ${words}, was given ${typeOf(value)}`);

function typeOf(value: unknown): string {
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'google.protobuf.Timestamp';
  if (value instanceof Uint8Array) return 'bytes';
  const kinds: Readonly<Record<string, string>> = { bigint: 'int', number: 'double', boolean: 'bool', object: 'map' };
  return kinds[typeof value] ?? typeof value;
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Six digits, whatever precision was asked for, as the real server writes them. */
function scientific(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential(6).split('e');
  const [sign, size] = [exponent.startsWith('-') ? '⁻' : '', exponent.replace(/^[+-]/, '').padStart(2, '0')];
  return `${digits}×10${sign}${[...size].map(digit => RAISED[Number(digit)]).join('')}`;
}

/** Lists and maps are written as CEL writes them. */
function plain(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (isSpan(value)) return spanText(value);
  if (Array.isArray(value)) return `[${value.map(quoted).join(', ')}]`;
  if (value instanceof Map) return mapText([...value]);
  if (isPlainObject(value)) return mapText(Object.entries(value));
  if (typeof value === 'number') return doubleText(value);
  return isType(value) ? typeText(value.name) : String(value);
}

/** As Go writes the shortest digits that say the number. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const size = Number(exponent);
  const shown = digits.replace(/[-.]/g, '').length;
  if (size >= -4 && size < LONGEST_WHOLE) return value.toFixed(Math.max(0, shown - 1 - size));
  return `${digits}e${size < 0 ? '-' : '+'}${String(Math.abs(size)).padStart(2, '0')}`;
}

/** Numbers with more digits before the dot get an exponent. */
const LONGEST_WHOLE = 6;

/** A duration of the library. */
export interface Span {
  readonly seconds: bigint;
  readonly nanos: number;
}

const isSpan = (value: unknown): value is Span =>
  typeof value === 'object' && value !== null && 'nanos' in value && 'seconds' in value;

/** In seconds, to the nanosecond. */
export function spanText({ seconds, nanos }: Span): string {
  const total = seconds * 1_000_000_000n + BigInt(nanos);
  const digits = String(total < 0n ? -total : total).padStart(10, '0');
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
  return `${total < 0n ? '-' : ''}${text}s`;
}

/** A type as a value. */
const isType = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && value.constructor.name === 'Type' && 'name' in value;

const typeText = (name: string): string => (name.startsWith('selfType') ? 'map' : typeOfValue(name));

const mapText = (entries: readonly (readonly [unknown, unknown])[]): string =>
  `{${entries
    .map(([key, child]) => `${quoted(key)}:${quoted(child)}`)
    .sort()
    .join(', ')}}`;

/** A map that an expression spells out. */
const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function quoted(value: unknown): string {
  if (typeof value === 'number') return value.toFixed(6);
  return typeof value === 'string' ? JSON.stringify(value) : plain(value);
}
