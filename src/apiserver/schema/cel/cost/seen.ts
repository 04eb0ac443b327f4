// What the estimate knows of a part of an expression: its cost, its type, how large its value can get.

import type { CelType, Declared } from './declared.ts';
import { fixed, ONE, type Range, UNKNOWN, union } from './range.ts';

/** Of the entries of a list or map that the expression makes itself. */
export interface Entry {
  readonly key: Range;
  readonly value: Range;
}

export interface Seen {
  readonly cost: Range;
  readonly type: CelType;
  /** Where the value stands: a variable, then fields, `@items`, `@values`, `@keys`. Undefined: nowhere in the schema. */
  readonly path?: readonly string[];
  /** Of the value; undefined: nobody knows. */
  readonly size: Range | undefined;
  readonly entry?: Entry | undefined;
  readonly literal?: unknown;
}

export const sizeOf = ({ size }: Pick<Seen, 'size'>): Range => size ?? UNKNOWN;

export const DYN: CelType = { kind: 'dyn' };
const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

export const isScalar = ({ kind }: CelType): boolean => SCALARS.has(kind);
export const isText = ({ kind }: CelType): boolean => kind === 'string' || kind === 'bytes';

/** By the schema. What stands first in a path is always taken for the value that the rule is on. */
export function declaredSize(root: Declared, path: readonly string[] | undefined): Range | undefined {
  if (path === undefined || path.length === 0) return undefined;
  let at: Declared | undefined = root;
  for (const step of path.slice(1)) at = stepInto(at, step);
  return at === undefined ? undefined : { min: 0, max: at.most };
}

function stepInto(at: Declared | undefined, step: string): Declared | undefined {
  if (step === '@items' || step === '@values') return at?.item;
  return step === '@keys' ? at?.key : at?.fields?.get(step);
}

/** How large a value is of which the expression itself says nothing. */
export const foundSize = (root: Declared, type: CelType, path: readonly string[] | undefined): Range | undefined =>
  declaredSize(root, path) ?? (isScalar(type) ? ONE : undefined);

export function literalSize(value: unknown): Range | undefined {
  if (typeof value === 'string') return fixed([...value].length);
  return value instanceof Uint8Array ? fixed(value.length) : ONE;
}

export const unionOfEntries = (a: Entry | undefined, b: Entry | undefined): Entry | undefined =>
  a === undefined || b === undefined ? undefined : { key: union(a.key, b.key), value: union(a.value, b.value) };
