// The wording of field errors, as Kubernetes' own validation words them.

import type { FieldError, Json } from '../parts.ts';
import { goQuoted } from '../rules/quoted.ts';

/** Strings as Go quotes them, objects and lists as Go's JSON has them: with angle brackets and ampersands escaped. */
function shown(value: Json): string {
  if (typeof value === 'string') return goQuoted(value);
  const text = JSON.stringify(value);
  return typeof value === 'object' ? text.replaceAll(/[<>&]/g, sign => HTML[sign] ?? sign) : text;
}

const HTML: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** An empty path is the object itself, which Kubernetes prints as `<nil>`. */
const fieldOf = (path: string): string => (path === '' ? '<nil>' : path);

export const invalid = (path: string, value: Json, detail: string): FieldError => ({
  type: 'Invalid',
  field: fieldOf(path),
  message: detail === '' ? `Invalid value: ${shown(value)}` : `Invalid value: ${shown(value)}: ${detail}`,
});

/** What is right in itself, and still cannot be used. */
export const internal = (path: string, problem: string): FieldError => ({
  type: 'InternalError',
  field: fieldOf(path),
  message: `Internal error: ${problem}`,
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

export const notFound = (path: string, value: Json, detail = ''): FieldError => ({
  type: 'NotFound',
  field: fieldOf(path),
  message: `Not found: ${shown(value)}${detail === '' ? '' : `: ${detail}`}`,
});
