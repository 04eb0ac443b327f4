// In which order the items of a merged list stand: those of the patch in the patch's order, the others among them as
// near as possible to where they stood before.

import type { Json } from '../../parts.ts';
import { isObject, sameJson } from '../json.ts';

/** The merged list, its items that `order` names in that order. */
export function inOrder(
  merged: readonly Json[],
  order: readonly Json[],
  live: readonly Json[],
  key: string,
): readonly Json[] {
  const indexIn = (list: readonly Json[], item: Json): number =>
    list.findIndex(other => sameJson(identity(other, key), identity(item, key)));
  const named = merged.filter(item => indexIn(order, item) >= 0);
  const others = merged.filter(item => indexIn(order, item) < 0);
  named.sort((a, b) => indexIn(order, a) - indexIn(order, b));
  return interleaved(others, named, item => indexIn(live, item));
}

const identity = (item: Json, key: string): Json => (isObject(item) ? (item[key] ?? null) : item);

/** Both lists keep their own order; an item of `left` goes before one of `right` only if it stood before it. */
function interleaved(left: readonly Json[], right: readonly Json[], place: (item: Json) => number): readonly Json[] {
  const result: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const [l, r] = [left[i], right[j]];
    const takeLeft = l !== undefined && (r === undefined || isBefore(place(l), place(r)));
    if (takeLeft && l !== undefined) result.push(l);
    else if (r !== undefined) result.push(r);
    if (takeLeft) i++;
    else j++;
  }
  return result;
}

const isBefore = (a: number, b: number): boolean => a >= 0 && b >= 0 && a < b;
