// Texts and numbers within the bounds of a field, and just outside them.

import type { Bounds } from '../../../scripts/metal/table.ts';

const SAMPLES = ['a', '10.0.0.1', 'fd00::1', '10.0.0.0/24', '2026-01-01T00:00:00Z'];

/** A text that fits; `length` asks for exactly so many characters, `index` for one unlike those of other indexes. */
export function textWithin(bounds: Bounds, want: { readonly length?: number; readonly index?: number } = {}): string {
  if (bounds.enum !== undefined) return bounds.enum[(want.index ?? 0) % bounds.enum.length] ?? '';
  const found = candidates(want).find(text => isTextWithin(text, bounds));
  if (found === undefined) throw new Error(`no text fits ${JSON.stringify({ bounds, want })}`);
  return found;
}

function candidates({ length, index }: { readonly length?: number; readonly index?: number }): readonly string[] {
  if (length !== undefined) return ['a'.repeat(length), `/${'a'.repeat(Math.max(0, length - 1))}`.slice(0, length)];
  if (index === undefined || index === 0) return [...SAMPLES, 'http://a'];
  const high = Math.floor(index / 256);
  return [`a${index}`, `10.1.${high}.${index % 256}`, `fd00::1:${index.toString(16)}`, ...SAMPLES, `http://a/${index}`];
}

export function isTextWithin(text: string, bounds: Bounds): boolean {
  const { minLength = 0, maxLength = Infinity, pattern, enum: allowed, format } = bounds;
  if (text.length < minLength || text.length > maxLength) return false;
  if (allowed !== undefined && !allowed.includes(text)) return false;
  if (pattern !== undefined && !compiled(pattern).test(text)) return false;
  return format === undefined || isOfFormat(text, format);
}

const known = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const found = known.get(pattern) ?? new RegExp(pattern);
  known.set(pattern, found);
  return found;
}

function isOfFormat(text: string, format: string): boolean {
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return format !== 'uri' || /^(\/|[a-z][a-z0-9+.-]*:)/i.test(text);
}

export interface Sample {
  readonly what: string;
  readonly value: unknown;
}

/** Texts at the bounds, each with whether it fits. */
export function textSamples(bounds: Bounds): { readonly fit: readonly Sample[]; readonly unfit: readonly Sample[] } {
  const { minLength = 0, maxLength, pattern, enum: allowed, format } = bounds;
  const atMost = maxLength === undefined ? [] : [{ what: 'longest', value: textWithin(bounds, { length: maxLength }) }];
  return {
    fit: [
      ...(allowed ?? []).map(value => ({ what: `enum ${value}`, value })),
      { what: 'usual', value: textWithin(bounds) },
      ...(minLength > 0 ? [{ what: 'shortest', value: textWithin(bounds, { length: minLength }) }] : []),
      ...atMost,
      ...(allowed === undefined && isTextWithin('', bounds) ? [{ what: 'empty', value: '' }] : []),
    ],
    unfit: [
      { what: 'a number', value: 5 },
      ...(minLength > 0 ? [{ what: 'too short', value: 'a'.repeat(minLength - 1) }] : []),
      ...(maxLength === undefined ? [] : [{ what: 'too long', value: 'a'.repeat(maxLength + 1) }]),
      ...(allowed === undefined ? [] : [{ what: 'outside the enum', value: 'another' }]),
      ...(pattern === undefined ? [] : [{ what: 'against the pattern', value: '!' }]),
      ...(format === undefined ? [] : [{ what: `no ${format}`, value: 'not one' }]),
    ],
  };
}

export const integerWithin = ({ minimum, maximum = Infinity }: Bounds, index = 0): number =>
  Math.min((minimum ?? 1) + index, maximum);

export function integerSamples(bounds: Bounds): { readonly fit: readonly Sample[]; readonly unfit: readonly Sample[] } {
  const { minimum, maximum } = bounds;
  return {
    fit: [
      { what: 'usual', value: integerWithin(bounds) },
      { what: 'least', value: minimum ?? 0 },
      ...(maximum === undefined ? [] : [{ what: 'most', value: maximum }]),
    ],
    unfit: [
      { what: 'a text', value: 'five' },
      ...(minimum === undefined ? [] : [{ what: 'too small', value: minimum - 1 }]),
      ...(maximum === undefined ? [] : [{ what: 'too big', value: maximum + 1 }]),
    ],
  };
}
