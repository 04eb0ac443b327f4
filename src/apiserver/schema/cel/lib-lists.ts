// Functions on lists (sum, min, max, isSorted, indexOf, lastIndexOf) and on lists as sets.

import { Environment } from '@marcbachmann/cel-js';
import type { Register } from './environment.ts';
import { spend, spendOnSize } from './meter.ts';
import { compared, isEqual } from './order.ts';

type List = readonly unknown[];

export function registerLists(environment: Environment, register: Register): void {
  register('list<int>.sum(): int', (list: readonly bigint[]) => list.reduce((sum, value) => sum + value, 0n));
  register('list<double>.sum(): double', (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0));
  register('list<google.protobuf.Duration>.sum(): google.protobuf.Duration', (list: readonly Addable[]) => {
    const [first, ...rest] = list;
    return first === undefined ? zeroDuration() : rest.reduce((sum, value) => sum.addDuration(value), first);
  });
  register('list<A>.min(): A', (list: List) => extreme(list, 'min', order => order < 0));
  register('list<A>.max(): A', (list: List) => extreme(list, 'max', order => order > 0));
  register('list<A>.isSorted(): bool', isSorted);
  register('list<A>.__indexOf(A): int', (list: List, value: unknown) => {
    spendOnSize(list.length);
    return BigInt(list.findIndex(item => isEqual(item, value)));
  });
  register('list<A>.__lastIndexOf(A): int', (list: List, value: unknown) => {
    spendOnSize(list.length);
    return BigInt(list.findLastIndex(item => isEqual(item, value)));
  });
  registerSets(environment, register);
}

/** A duration of the library. */
interface Addable {
  addDuration(other: Addable): Addable;
}

let noTime: unknown;

function zeroDuration(): unknown {
  noTime ??= new Environment().evaluate('duration("0s")');
  return noTime;
}

class SetsNamespace {}

function registerSets(environment: Environment, register: Register): void {
  environment.registerType('SetsNamespace', SetsNamespace);
  environment.registerConstant('sets', 'SetsNamespace', new SetsNamespace());
  register('SetsNamespace.contains(list, list): bool', (_: unknown, list: List, sub: List) => contains(list, sub));
  register(
    'SetsNamespace.equivalent(list, list): bool',
    (_: unknown, a: List, b: List) => contains(a, b) && contains(b, a),
  );
  register('SetsNamespace.intersects(list, list): bool', (_: unknown, a: List, b: List) => {
    spend(a.length * b.length);
    return a.some(item => b.some(other => isEqual(item, other)));
  });
}

function contains(list: List, sub: List): boolean {
  spend(list.length * sub.length);
  return sub.every(item => list.some(other => isEqual(item, other)));
}

function extreme(list: List, name: string, isBetter: (order: number) => boolean): unknown {
  spendOnSize(list.length);
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, value) => (isBetter(compared(value, best)) ? value : best));
}

function isSorted(list: List): boolean {
  spendOnSize(list.length);
  return list.every((value, index) => index === 0 || compared(list[index - 1], value) <= 0);
}
