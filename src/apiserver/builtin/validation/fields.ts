// Looks only at the fields that are there, each with its own check, in the order in which the real server tells of them.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { notSupported, required } from '../../schema/field-errors.ts';
import { isList, isObject } from '../json.ts';
import type { Errors } from './texts.ts';

export const NONE: Errors = [];

/** What is wrong with the value of one field; the context is what its holder knows. */
export type Check<Context> = (path: string, value: Json, context: Context) => Errors;

export type Checks<Context> = readonly (readonly [key: string, check: Check<Context>])[];

/** A field that is absent costs one look-up. */
export function fieldErrors<Context>(
  checks: Checks<Context>,
  path: string,
  holder: JsonObject,
  context: Context,
): Errors {
  let errors: FieldError[] | undefined;
  for (const [key, check] of checks) {
    const value = holder[key];
    if (value === undefined) continue;
    const found = check(`${path}.${key}`, value, context);
    if (found.length === 0) continue;
    errors ??= [];
    errors.push(...found);
  }
  return errors ?? NONE;
}

/** A text; an empty one is none. */
export const named =
  (check: (path: string, text: string) => Errors): Check<unknown> =>
  (path, value) =>
    typeof value === 'string' && value !== '' ? check(path, value) : NONE;

export const ofObject =
  <Context>(check: (path: string, value: JsonObject, context: Context) => Errors): Check<Context> =>
  (path, value, context) =>
    isObject(value) ? check(path, value, context) : NONE;

/** A list of objects. */
export const ofEach =
  <Context>(check: (path: string, item: JsonObject, context: Context) => Errors): Check<Context> =>
  (path, value, context) => {
    if (!isList(value)) return NONE;
    let errors: FieldError[] | undefined;
    for (const [index, item] of value.entries()) {
      const found = isObject(item) ? check(`${path}[${index}]`, item, context) : NONE;
      if (found.length === 0) continue;
      errors ??= [];
      errors.push(...found);
    }
    return errors ?? NONE;
  };

export const supportedErrors = (path: string, value: Json, values: readonly string[]): Errors =>
  typeof value === 'string' && values.includes(value) ? NONE : [notSupported(path, value, values)];

/** One of these; an empty one is unknown too. */
export const within =
  (...values: readonly string[]): Check<unknown> =>
  (path, value) =>
    supportedErrors(path, value, values);

/** One of these; an empty one is missing. */
export const chosen =
  (...values: readonly string[]): Check<unknown> =>
  (path, value) =>
    value === '' ? [required(path)] : supportedErrors(path, value, values);
