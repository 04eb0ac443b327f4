// Functions that make lists of lists: slice, flatten, distinct, reverse, sort, first, last, `lists.range`, unwrap.

import { type Environment, Optional } from '@marcbachmann/cel-js';
import type { Register } from './environment.ts';
import { spend, spendOnSize } from './meter.ts';
import { compared, isEqual } from './order.ts';

type List = readonly unknown[];

class ListsNamespace {}

export function registerListShapes(environment: Environment, register: Register): void {
  environment.registerType('ListsNamespace', ListsNamespace);
  environment.registerConstant('lists', 'ListsNamespace', new ListsNamespace());
  register('ListsNamespace.range(int): list<int>', (_: unknown, length: bigint) => {
    spend(Math.max(0, Number(length)));
    return Array.from({ length: Math.max(0, Number(length)) }, (_each, index) => BigInt(index));
  });
  register('list<A>.slice(int, int): list<A>', sliced);
  register('list<list<A>>.flatten(): list<A>', (list: List) => flattened(list, 1));
  register('list<dyn>.flatten(int): list<dyn>', (list: List, depth: bigint) => {
    if (depth < 0n) throw new Error('level must be non-negative');
    return flattened(list, Number(depth));
  });
  register('list<A>.distinct(): list<A>', distinct);
  register('list<A>.reverse(): list<A>', (list: List) => {
    spendOnSize(list.length);
    return list.toReversed();
  });
  register('list<A>.sort(): list<A>', (list: List) => {
    spend(list.length);
    return list.toSorted(compared);
  });
  register('list<A>.first(): optional<A>', (list: List) => optionally(list[0]));
  register('list<A>.last(): optional<A>', (list: List) => optionally(list.at(-1)));
  register('OptionalNamespace.ofNonZeroValue(A): optional<A>', (_: unknown, value: unknown) =>
    optionally(isZero(value) ? undefined : value),
  );
  register('list<optional<A>>.unwrapOpt(): list<A>', unwrapped);
  register('OptionalNamespace.unwrap(list<optional<A>>): list<A>', (_: unknown, list: List) => unwrapped(list));
}

const optionally = (value: unknown): unknown => (value === undefined ? Optional.none() : Optional.of(value));

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === false || Number(value) === 0;
}

function sliced(list: List, start: bigint, end: bigint): List {
  const words = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new Error(`${words}, negative indexes not supported`);
  if (start > end) throw new Error(`${words}, start index must be less than or equal to end index`);
  if (end > BigInt(list.length)) throw new Error(`${words}, list is length ${list.length}`);
  spendOnSize(list.length);
  return list.slice(Number(start), Number(end));
}

function flattened(list: List, depth: number): List {
  spend(list.length);
  return list.flatMap(item => (depth > 0 && Array.isArray(item) ? flattened(item, depth - 1) : [item]));
}

function distinct(list: List): List {
  const kept: unknown[] = [];
  for (const item of list) {
    spend(1 + kept.length);
    if (!kept.some(other => isEqual(other, item))) kept.push(item);
  }
  return kept;
}

function unwrapped(list: List): List {
  spendOnSize(list.length);
  return list.flatMap(item => (item instanceof Optional && item.hasValue() ? [item.value()] : []));
}
