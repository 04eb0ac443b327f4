// Names, labels, keys and numbers as Kubernetes checks them, and in its words what is wrong with them.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { labelKeyProblems, labelValueProblems } from '../../request/label-rules.ts';
import { invalid } from '../../schema/field-errors.ts';
import { numberAt } from '../json.ts';

export type Errors = readonly FieldError[];

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const CONFIG_KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Why it is no name of a host: letters, digits and dashes, up to 63 of them. */
export function labelProblems(name: string): readonly string[] {
  const long = name.length > 63 ? ['must be no more than 63 characters'] : [];
  return LABEL.test(name) ? long : [...long, isSubdomain(name) ? 'must not contain dots' : LABEL_TEXT];
}

export const labelErrors = (path: string, name: string): Errors =>
  labelProblems(name).map(why => invalid(path, name, why));

const isSubdomain = (name: string): boolean => name.split('.').every(part => LABEL.test(part));

export function subdomainErrors(path: string, name: string): Errors {
  const long = name.length > 253 ? [invalid(path, name, 'must be no more than 253 characters')] : [];
  return isSubdomain(name) ? long : [...long, invalid(path, name, SUBDOMAIN_TEXT)];
}

/** `name` or `prefix/name`: label keys, taints, finalizers. */
export const qualifiedNameErrors = (path: string, name: string): Errors =>
  labelKeyProblems(name).map(why => invalid(path, name, why));

export function labelMapErrors(path: string, labels: JsonObject): Errors {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(path, key),
    ...labelValueProblems(String(value)).map(why => invalid(path, value, why)),
  ]);
}

/** Keys of Secrets and ConfigMaps become file names. */
export function configKeyErrors(path: string, key: string): Errors {
  if (key === '.') return [invalid(path, key, "must not be '.'")];
  if (key.startsWith('..')) return [invalid(path, key, key === '..' ? "must not be '..'" : "must not start with '..'")];
  const long = key.length > 253 ? [invalid(path, key, 'must be no more than 253 characters')] : [];
  return CONFIG_KEY.test(key) ? long : [...long, invalid(path, key, CONFIG_KEY_TEXT)];
}

export function portErrors(path: string, port: Json): Errors {
  const isPort = typeof port === 'number' && port >= 1 && port <= 65_535;
  return isPort ? [] : [invalid(path, port, 'must be between 1 and 65535, inclusive')];
}

/** Why it is no name of a port: letters that say something, up to fifteen characters. */
export function portNameProblems(name: string): readonly string[] {
  const isBordered = name.startsWith('-') || name.endsWith('-');
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(isBordered ? ['must not begin or end with a hyphen'] : []),
  ];
}

export const portNameErrors = (path: string, name: string): Errors =>
  portNameProblems(name).map(why => invalid(path, name, why));

/** A number that may not be below zero; absent ones pass. */
export function nonNegativeErrors(path: string, holder: JsonObject, key: string): Errors {
  const value = numberAt(holder, key);
  return value !== undefined && value < 0
    ? [invalid(`${path}.${key}`, value, 'must be greater than or equal to 0')]
    : [];
}
