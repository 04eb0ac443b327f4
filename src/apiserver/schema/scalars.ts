// Bounds, patterns and formats of strings and numbers.

import type { FieldError } from '../parts.ts';
import { goQuoted } from '../rules/quoted.ts';
import { invalid, tooLong, typeInvalid } from './field-errors.ts';
import { formatAccepts } from './formats.ts';
import { matchesPattern } from './patterns.ts';
import type { Structural } from './structural.ts';

/** Lengths count characters, not UTF-16 units. */
export function stringErrors(schema: Structural, value: string, path: string): readonly FieldError[] {
  return [...firstTextError(schema, value, path), ...formatErrors(schema, value, path)];
}

function firstTextError({ limits, pattern }: Structural, value: string, path: string): readonly FieldError[] {
  const { minLength, maxLength } = limits;
  if (maxLength !== undefined && isLonger(value, maxLength)) return [tooLong(path, maxLength)];
  if (minLength !== undefined && !isLonger(value, minLength - 1)) {
    return [invalid(path, value, `${path} in body should be at least ${minLength} chars long`)];
  }
  if (pattern === '' || matchesPattern(pattern, value)) return [];
  return [invalid(path, value, `${path} in body should match '${pattern}'`)];
}

/** A character is one or two units, so most texts need no counting. */
function isLonger(value: string, length: number): boolean {
  if (value.length <= length) return false;
  return value.length > 2 * length || [...value].length > length;
}

function formatErrors({ format, types }: Structural, value: string, path: string): readonly FieldError[] {
  if (format === '' || (types.length > 0 && !types.includes('string')) || formatAccepts(format, value)) return [];
  const detail = `${path} in body must be of type ${format}: ${goQuoted(value)}`;
  return [typeInvalid(path, value, detail)];
}

export function numberErrors(schema: Structural, value: number, path: string): readonly FieldError[] {
  return [
    ...rangeErrors(schema, value, path),
    ...multipleErrors(schema, value, path),
    ...boundErrors(schema, value, path),
  ];
}

const INTEGER_LIMITS: Readonly<Record<string, number>> = { int32: 2 ** 31 };

/** Whether the number fits the type and its format; a type that is not one alone is not asked. */
function rangeErrors({ types, format }: Structural, value: number, path: string): readonly FieldError[] {
  if (types.length !== 1 || fitsType(types[0] ?? '', format, value)) return [];
  const named = format === '' ? '(default format)' : `with format ${format}`;
  return [invalid('', '', `Checked value must be of type ${types[0]} ${named} in ${path}`)];
}

function fitsType(type: string, format: string, value: number): boolean {
  if (type === 'number') return format !== 'float' || Number.isFinite(Math.fround(value));
  if (type !== 'integer') return true;
  const limit = INTEGER_LIMITS[format] ?? 2 ** 63;
  return Number.isInteger(value) && value >= -limit && value < limit;
}

function multipleErrors({ limits }: Structural, value: number, path: string): readonly FieldError[] {
  const { multipleOf } = limits;
  if (multipleOf === undefined) return [];
  // The real server, too, asks of whole numbers whether they are multiples of what is whole of the factor.
  const factor = Number.isInteger(value) ? Math.trunc(multipleOf) : multipleOf;
  if (factor <= 0) return [invalid(path, factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`)];
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  if (Number.isInteger(quotient)) return [];
  return [invalid(path, value, `${path} in body should be a multiple of ${factor}`)];
}

function boundErrors({ limits }: Structural, value: number, path: string): readonly FieldError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  const says = (words: string, bound: number): FieldError =>
    invalid(path, value, `${path} in body should be ${words} ${bound}`);
  const below = minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum);
  const above = maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum);
  return [
    ...(below ? [says(exclusiveMinimum ? 'greater than' : 'greater than or equal to', minimum)] : []),
    ...(above ? [says(exclusiveMaximum ? 'less than' : 'less than or equal to', maximum)] : []),
  ];
}
