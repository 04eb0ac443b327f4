// Kubernetes quantities in rules: `quantity("500m").isLessThan(quantity("1"))`.

import type { Environment } from '@marcbachmann/cel-js';
import { nanoOf, QUANTITY_FORMAT } from '../../builtin/quantity.ts';
import type { Register } from './environment.ts';

const NANO = 1_000_000_000n;

class Quantity {
  readonly nano: bigint;

  constructor(nano: bigint) {
    this.nano = nano;
  }

  valueOf(): bigint {
    return this.nano;
  }
}

export function registerQuantities(environment: Environment, register: Register): void {
  environment.registerType('kubernetes.Quantity', { ctor: Quantity, fields: {} });
  environment.registerOperator(
    'kubernetes.Quantity == kubernetes.Quantity: bool',
    (a: Quantity, b: Quantity) => a.nano === b.nano,
  );
  register('isQuantity(string): bool', (text: string) => nanoOf(text) !== undefined);
  register('quantity(string): kubernetes.Quantity', quantityOf);
  const on = (call: string, handler: (...args: never[]) => unknown): void =>
    register(`kubernetes.Quantity.${call}`, handler);
  on('isInteger(): bool', ({ nano }: Quantity) => nano % NANO === 0n);
  on('asInteger(): int', asInteger);
  on('asApproximateFloat(): double', ({ nano }: Quantity) => Number(nano) / Number(NANO));
  on('isLessThan(kubernetes.Quantity): bool', (a: Quantity, b: Quantity) => a.nano < b.nano);
  on('isGreaterThan(kubernetes.Quantity): bool', (a: Quantity, b: Quantity) => a.nano > b.nano);
  on('compareTo(kubernetes.Quantity): int', (a: Quantity, b: Quantity) =>
    a.nano === b.nano ? 0n : a.nano < b.nano ? -1n : 1n,
  );
  on('add(kubernetes.Quantity): kubernetes.Quantity', (a: Quantity, b: Quantity) => new Quantity(a.nano + b.nano));
  on('add(int): kubernetes.Quantity', (a: Quantity, b: bigint) => new Quantity(a.nano + b * NANO));
  on('sub(kubernetes.Quantity): kubernetes.Quantity', (a: Quantity, b: Quantity) => new Quantity(a.nano - b.nano));
  on('sub(int): kubernetes.Quantity', (a: Quantity, b: bigint) => new Quantity(a.nano - b * NANO));
}

function quantityOf(text: string): Quantity {
  const nano = nanoOf(text);
  if (nano === undefined) throw new Error(QUANTITY_FORMAT);
  return new Quantity(nano);
}

function asInteger({ nano }: Quantity): bigint {
  if (nano % NANO !== 0n) throw new Error('cannot convert value to integer');
  return nano / NANO;
}
