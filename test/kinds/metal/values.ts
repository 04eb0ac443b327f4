// Whole values of a field: the smallest, the fullest, and those at its bounds.

import { integerSamples, integerWithin, type Sample, textSamples, textWithin } from './scalars.ts';
import type { Field } from './tree.ts';

export type Made = Record<string, unknown>;

/** Only what is required. `index` makes it unlike its siblings where a list wants that. */
export function smallest(field: Field, index = 0): unknown {
  return built(field, { index, full: false });
}

/** Every field, lists and maps with two entries where they may. */
export function fullest(field: Field, index = 0): unknown {
  return built(field, { index, full: true });
}

interface How {
  readonly index: number;
  readonly full: boolean;
}

function built(field: Field, how: How): unknown {
  const { type, bounds } = field.row;
  if (type === 'string') return textWithin(bounds, { index: how.index });
  if (type === 'integer') return integerWithin(bounds, how.index);
  if (type === 'boolean') return true;
  if (type === 'any') return 'any';
  return type === 'array' ? listOf(field, countOf(field, how), how.full) : objectOf(field, how);
}

function countOf({ row: { bounds } }: Field, { full }: How): number {
  return full ? Math.min(2, bounds.maxItems ?? 2) : (bounds.minItems ?? 0);
}

/** A list of so many items, no two alike. */
function listOf({ inner }: Field, count: number, full = false): readonly unknown[] {
  if (inner === undefined) return [];
  return Array.from({ length: count }, (_, index) => built(inner, { index, full }));
}

function objectOf(field: Field, how: How): Made {
  const { inner, members, row } = field;
  if (inner !== undefined) return how.full ? { one: built(inner, how), two: built(inner, { ...how, index: 1 }) } : {};
  const wanted = members.filter(each => how.full || each.row.required);
  const missing = Math.max(0, (row.bounds.minProperties ?? 0) - wanted.length);
  const more = members.filter(each => !wanted.includes(each)).slice(0, missing);
  return Object.fromEntries([...wanted, ...more].map(each => [each.name, built(each, how)]));
}

/** Values at the bounds of the field, and just outside. */
export function samplesOf(field: Field): { readonly fit: readonly Sample[]; readonly unfit: readonly Sample[] } {
  const { type, bounds } = field.row;
  if (type === 'string') return textSamples(bounds);
  if (type === 'integer') return integerSamples(bounds);
  if (type === 'boolean') return { fit: both, unfit: [{ what: 'a text', value: 'yes' }] };
  if (type === 'any') return { fit: anything, unfit: [] };
  return type === 'array' ? listSamples(field) : objectSamples(field);
}

const both: readonly Sample[] = [
  { what: 'true', value: true },
  { what: 'false', value: false },
];

const anything: readonly Sample[] = [
  { what: 'a text', value: 'fast' },
  { what: 'an object', value: { a: { b: 1 } } },
];

function listSamples(field: Field): { readonly fit: readonly Sample[]; readonly unfit: readonly Sample[] } {
  const { minItems = 0, maxItems, listType } = field.row.bounds;
  const [one] = listOf(field, 1);
  const keyed = listType === 'map' || listType === 'set';
  return {
    fit: [
      { what: 'fewest', value: listOf(field, minItems) },
      { what: 'some', value: listOf(field, 2, true) },
      ...(maxItems === undefined ? [] : [{ what: 'most', value: listOf(field, maxItems) }]),
    ],
    unfit: [
      { what: 'a text', value: 'list' },
      ...(minItems > 0 ? [{ what: 'too few', value: listOf(field, minItems - 1) }] : []),
      ...(maxItems === undefined ? [] : [{ what: 'too many', value: listOf(field, maxItems + 1) }]),
      ...(keyed ? [{ what: 'the same twice', value: [one, one] }] : []),
    ],
  };
}

function objectSamples(field: Field): { readonly fit: readonly Sample[]; readonly unfit: readonly Sample[] } {
  const { minProperties } = field.row.bounds;
  const whole = smallest(field);
  const lacking = field.members
    .filter(({ row }) => row.required && row.bounds.default === undefined)
    .map(({ name }) => ({ what: `without ${name}`, value: without(whole, name) }));
  return {
    fit: [
      { what: 'smallest', value: whole },
      { what: 'fullest', value: fullest(field) },
    ],
    unfit: [
      { what: 'a text', value: 'object' },
      ...lacking,
      ...(minProperties === undefined ? [] : [{ what: 'nothing in it', value: {} }]),
    ],
  };
}

function without(value: unknown, name: string): unknown {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.filter(([key]) => key !== name));
}
