// Paths that stay below where they begin.

import { invalid } from '../../schema/field-errors.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

export const goesBack = (path: string): boolean => path.split('/').includes('..');

export const stayingErrors = (path: string, value: string): Errors =>
  goesBack(value) ? [invalid(path, value, "must not contain '..'")] : NONE;

/** Relative, and never upwards. */
export const descendingErrors = (path: string, value: string): Errors => [
  ...(value.startsWith('/') ? [invalid(path, value, 'must be a relative path')] : NONE),
  ...stayingErrors(path, value),
];
