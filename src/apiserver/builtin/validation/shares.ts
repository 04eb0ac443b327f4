// Counts, or shares of a whole: how many Pods may be missing, or too many.

import type { Json } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

const PERCENT = /^[0-9]+%$/;
const PERCENT_TEXT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

export function shareErrors(path: string, value: Json): Errors {
  if (typeof value === 'string') return PERCENT.test(value) ? NONE : [invalid(path, value, PERCENT_TEXT)];
  const isNegative = typeof value === 'number' && value < 0;
  return isNegative ? [invalid(path, value, 'must be greater than or equal to 0')] : NONE;
}

/** No more than the whole; what is no share is told elsewhere. */
export function abovePartErrors(path: string, value: Json): Errors {
  const isAbove = typeof value === 'string' && PERCENT.test(value) && amountOf(value) > 100;
  return isAbove ? [invalid(path, value, 'must not be greater than 100%')] : NONE;
}

/** A share that is not above the whole. */
export const wholeErrors = (path: string, value: Json): Errors => [
  ...shareErrors(path, value),
  ...abovePartErrors(path, value),
];

export const amountOf = (value: Json): number =>
  typeof value === 'string' ? Number(value.replace('%', '')) : Number(value);

/** What is no number is none. */
export const isSome = (value: Json): boolean => Math.abs(amountOf(value)) > 0;
