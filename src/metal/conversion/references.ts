// References: v1beta1 has whole object references, of which v1beta2 keeps name and namespace.

import { type Fields, inOrder, isFields, type Step, told, unless, withMembers } from './steps.ts';

const WORDY = ['apiVersion', 'fieldPath', 'kind', 'resourceVersion', 'uid'] as const;

const short = (reference: unknown): unknown => (isFields(reference) ? withoutWords(reference) : reference);

const withoutWords = (reference: Fields): Fields =>
  withMembers(reference, Object.fromEntries(WORDY.map(word => [word, undefined])));

/** The reference at `name`. */
export const reference = (name: string): Step => told(name, { up: short, down: value => value });

/** A reference that v1beta1 must have: one that names nothing is none in v1beta2. */
export const neededReference = (name: string): Step =>
  inOrder(reference(name), unless(name, namesNothing), {
    up: fields => fields,
    down: fields => ({ [name]: {}, ...fields }),
  });

const namesNothing = (value: unknown): boolean => isFields(value) && isBlank(value.name) && isBlank(value.namespace);

const isBlank = (value: unknown): boolean => value === undefined || value === '';
