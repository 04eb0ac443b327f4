// What `pippin/testing` refuses, in words for the author of a test.

import { defineError } from '../../base/errors.ts';

export const optionInvalid = defineError('PIPPIN_E_TESTING_OPTION', {
  retry: 'never',
  remedy: 'Correct what is handed to startApi; docs/testing.md lists its options',
  says: (option: string, expected: string, found: unknown) =>
    `startApi: the option ${option} is ${expected}, not ${shown(found)}`,
});

export const optionUnknown = defineError('PIPPIN_E_TESTING_OPTION_UNKNOWN', {
  retry: 'never',
  remedy: 'Look for a spelling mistake; docs/testing.md lists the options',
  says: (option: string, known: readonly string[]) => `startApi has no option "${option}"; it has ${known.join(', ')}`,
});

export const identityInvalid = defineError('PIPPIN_E_TESTING_IDENTITY', {
  retry: 'never',
  remedy: "Call it like api.as({ user: 'jane', groups: ['developers'] })",
  says: (field: string, expected: string, found: unknown) => `api.as: ${field} is ${expected}, not ${shown(found)}`,
});

export const requestInvalid = defineError('PIPPIN_E_TESTING_REQUEST', {
  retry: 'never',
  remedy: "Call it like api.request({ path: '/api/v1/namespaces' })",
  says: (field: string, expected: string, found: unknown) =>
    `The request's ${field} is ${expected}, not ${shown(found)}`,
});

export const notServed = defineError('PIPPIN_E_TESTING_NOT_SERVED', {
  retry: 'never',
  remedy: 'Start it on a port, with startApi({ port: 0 })',
  says: (what: string) => `${what} needs a port, and this API is in this process only`,
});

export const clockIsReal = defineError('PIPPIN_E_TESTING_CLOCK_IS_REAL', {
  retry: 'never',
  remedy: "Start it with startApi({ clock: 'virtual' })",
  says: () => 'api.advance moves a virtual clock, and this API runs on the time of this machine',
});

export const apiClosed = defineError('PIPPIN_E_TESTING_CLOSED', {
  retry: 'never',
  remedy: 'Close it after the last request; `await using` closes it at the end of its block',
  says: () => 'This API is closed',
});

export const watchRefused = defineError('PIPPIN_E_TESTING_WATCH_REFUSED', {
  retry: 'never',
  remedy: 'Ask for the same path with request() and look at the Status',
  says: (path: string, status: number, message: string) => `The watch of ${path} is refused with ${status}: ${message}`,
});

export const crdUnreadable = defineError('PIPPIN_E_TESTING_CRD_UNREADABLE', {
  retry: 'never',
  remedy: 'Give `crds` objects, or paths of files or folders with CustomResourceDefinitions in YAML or JSON',
  says: (place: string, why: string) => `No CustomResourceDefinition can be read from ${place}: ${why}`,
});

export const crdRefused = defineError('PIPPIN_E_TESTING_CRD_REFUSED', {
  retry: 'never',
  remedy: 'Correct the definition: kube-apiserver refuses it too',
  says: (name: string, place: string, why: string) => `The definition ${name} from ${place} is refused: ${why}`,
});

export const crdNotServed = defineError('PIPPIN_E_TESTING_CRD_NOT_SERVED', {
  retry: 'never',
  remedy: 'Look at the message: another definition may have the same names',
  says: (name: string, place: string, why: string) => `The definition ${name} from ${place} is not served: ${why}`,
});

export const dataDirNeedsSqlite = defineError('PIPPIN_E_TESTING_NO_SQLITE', {
  retry: 'never',
  remedy: 'Use Node 24, or leave dataDir out: the API is then kept in memory',
  says: (version: string) => `The option dataDir needs SQLite, which Node ${version} does not bring`,
});

/** Short, and without what may be secret: a value's own text only where it is a plain one. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
