// The wording of field errors, as Kubernetes' own validation words them.

import type { FieldError, Json } from '../parts.ts';

/** Strings in quotes, everything else as JSON. */
const shown = (value: Json): string => JSON.stringify(value);

/** An empty path is the object itself, which Kubernetes prints as `<nil>`. */
const fieldOf = (path: string): string => (path === '' ? '<nil>' : path);

export const invalid = (path: string, value: Json, detail: string): FieldError => ({
  type: 'Invalid',
  field: fieldOf(path),
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const typeInvalid = (path: string, value: Json, detail: string): FieldError => ({
  type: 'TypeInvalid',
  field: fieldOf(path),
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const required = (path: string, detail = ''): FieldError => ({
  type: 'Required',
  field: fieldOf(path),
  message: detail === '' ? 'Required value' : `Required value: ${detail}`,
});

export const forbidden = (path: string, detail: string): FieldError => ({
  type: 'Forbidden',
  field: fieldOf(path),
  message: `Forbidden: ${detail}`,
});

export const duplicate = (path: string, value: Json): FieldError => ({
  type: 'Duplicate',
  field: fieldOf(path),
  message: `Duplicate value: ${shown(value)}`,
});

export const notSupported = (path: string, value: Json, supported: readonly Json[]): FieldError => {
  const values = supported.map(one => JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one)));
  return {
    type: 'NotSupported',
    field: fieldOf(path),
    message: `Unsupported value: ${shown(value)}: supported values: ${values.join(', ')}`,
  };
};

export const tooLong = (path: string, max: number): FieldError => ({
  type: 'TooLong',
  field: fieldOf(path),
  message: `Too long: may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
});

export const tooMany = (path: string, actual: number, max: number): FieldError => ({
  type: 'TooMany',
  field: fieldOf(path),
  message: `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
});
