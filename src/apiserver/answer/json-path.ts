// The JSON paths of printer columns and scale subresources: fields, indexes, wildcards and one kind of filter.

import type { Json } from '../parts.ts';
import { isObject } from '../rules/json.ts';

type Step = (values: readonly Json[]) => readonly Json[];

const FIELD = /^\.((?:\\.|[^.[\\])+)/;
const QUOTED = /^\[(?:'((?:\\.|[^'])*)'|"((?:\\.|[^"])*)")\]/;
const INDEX = /^\[(-?\d+|\*)\]/;
const FILTER = /^\[\?\(\s*@\.?([^\s=!<>]*)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([^)\s]+))\s*\)\]/;

/** The first value that `path` finds in `value`; undefined when there is none or the path is not understood. */
export function firstAt(value: Json, path: string): Json | undefined {
  return valuesAt(value, path)[0];
}

function valuesAt(value: Json, path: string): readonly Json[] {
  let values: readonly Json[] = [value];
  let rest = path.startsWith('{') ? path.slice(1, -1) : path;
  while (rest !== '' && rest !== '.') {
    const found = stepAt(rest);
    if (found === undefined) return [];
    values = found.step(values);
    rest = rest.slice(found.length);
  }
  return values;
}

function stepAt(rest: string): { step: Step; length: number } | undefined {
  const quoted = QUOTED.exec(rest);
  if (quoted !== null) return { step: field(unescaped(quoted[1] ?? quoted[2] ?? '')), length: quoted[0].length };
  const named = FIELD.exec(rest);
  if (named !== null) return { step: field(unescaped(named[1] ?? '')), length: named[0].length };
  const index = INDEX.exec(rest);
  if (index !== null) return { step: element(index[1] ?? ''), length: index[0].length };
  const filter = FILTER.exec(rest);
  if (filter === null) return undefined;
  const [whole, path = '', sign, double, single, bare] = filter;
  return { step: where(path, sign === '==', double ?? single ?? bare ?? ''), length: whole.length };
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

const field =
  (name: string): Step =>
  values =>
    values.flatMap(value => {
      if (name === '*') return childrenOf(value);
      const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      return found === undefined ? [] : [found];
    });

const element =
  (index: string): Step =>
  values =>
    values.flatMap(value => {
      if (index === '*') return childrenOf(value);
      const found = Array.isArray(value) ? value.at(Number(index)) : undefined;
      return found === undefined ? [] : [found];
    });

const where =
  (path: string, equal: boolean, wanted: string): Step =>
  values =>
    values.flatMap(childrenOf).filter(child => {
      const found = path === '' ? child : firstAt(child, `.${path}`);
      return found !== undefined && (String(found) === wanted) === equal;
    });

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value).filter(child => child !== undefined) : [];
}
