// Where two objects differ, by path.

import type { Difference } from './losses.ts';

/** Every place at which `after` is not what `before` was. */
export function differencesOf(kind: string, before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (Object.is(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ kind, path, before, after }];
  if (Array.isArray(before) !== Array.isArray(after)) return [{ kind, path, before, after }];
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].flatMap(key =>
    differencesOf(kind, one.get(key), other.get(key), inner(path, key, Array.isArray(before))),
  );
}

function inner(path: string, key: string, isList: boolean): string {
  if (isList) return `${path}[]`;
  return path === '' ? key : `${path}.${key}`;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
