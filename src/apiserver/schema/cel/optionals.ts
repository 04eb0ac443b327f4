// CEL's optional values: `oldSelf` of rules that can do without one, and the optional entries of literals.

import { Optional } from '@marcbachmann/cel-js';
import type { Register } from './environment.ts';

export const present = (value: unknown): unknown => Optional.of(value);

export const absent = (): unknown => Optional.none();

type Maybe = InstanceType<typeof Optional>;

/** What optional items and entries are written as. */
export function registerOptionalLiterals(register: Register): void {
  register('optional<A>.__listed(): list<A>', (value: Maybe) => (value.hasValue() ? [value.value()] : []));
  register('__entries(list): map<dyn, dyn>', (pairs: readonly (readonly [unknown, Maybe])[]) => {
    return new Map(pairs.flatMap(([key, value]) => (value.hasValue() ? [[key, value.value()] as const] : [])));
  });
}
