// allOf, anyOf, oneOf and not: several schemas on one value.

import type { FieldError } from '../parts.ts';
import { invalid } from './field-errors.ts';
import type { Structural } from './structural.ts';
import type { Visit } from './validate.ts';

type Check = (visit: Visit) => readonly FieldError[];

/** `check` validates against one schema; the caller passes it, because it calls this in turn. */
export function combinedErrors(visit: Visit, check: Check): readonly FieldError[] {
  const { anyOf, oneOf, allOf, not } = visit.schema;
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return [];
  return [
    ...anyOfErrors(visit, check),
    ...oneOfErrors(visit, check),
    ...allOfErrors(visit, check),
    ...notErrors(visit, check),
  ];
}

/** Each alternative's errors. The old value does not count here: whether one fits is about the value itself. */
const tried = (visit: Visit, schemas: readonly Structural[], check: Check): readonly (readonly FieldError[])[] =>
  schemas.map(schema => check({ ...visit, schema, old: undefined }));

/** The alternative that came nearest: the one with the fewest errors. */
const nearest = (attempts: readonly (readonly FieldError[])[]): readonly FieldError[] =>
  attempts.reduce((best, errors) => (errors.length < best.length ? errors : best), attempts[0] ?? []);

function anyOfErrors(visit: Visit, check: Check): readonly FieldError[] {
  const attempts = tried(visit, visit.schema.anyOf, check);
  if (attempts.length === 0 || attempts.some(errors => errors.length === 0)) return [];
  return [
    invalid('', '', `${JSON.stringify(visit.path)} must validate at least one schema (anyOf)`),
    ...nearest(attempts),
  ];
}

function oneOfErrors(visit: Visit, check: Check): readonly FieldError[] {
  const attempts = tried(visit, visit.schema.oneOf, check);
  const fitting = attempts.filter(errors => errors.length === 0).length;
  if (attempts.length === 0 || fitting === 1) return [];
  const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`;
  const message = `${JSON.stringify(visit.path)} must validate one and only one schema (oneOf). ${found}`;
  return [invalid('', '', message), ...(fitting === 0 ? nearest(attempts) : [])];
}

function allOfErrors(visit: Visit, check: Check): readonly FieldError[] {
  const attempts = tried(visit, visit.schema.allOf, check);
  const failed = attempts.filter(errors => errors.length > 0);
  if (failed.length === 0) return [];
  const none = failed.length === attempts.length ? '. None validated' : '';
  const message = `${JSON.stringify(visit.path)} must validate all the schemas (allOf)${none}`;
  return [...failed.flat(), invalid('', '', message)];
}

function notErrors(visit: Visit, check: Check): readonly FieldError[] {
  const { not } = visit.schema;
  if (not === undefined || check({ ...visit, schema: not, old: undefined }).length > 0) return [];
  return [invalid('', '', `${JSON.stringify(visit.path)} must not validate the schema (not)`)];
}
