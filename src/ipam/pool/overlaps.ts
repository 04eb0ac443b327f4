// Which ranges of a pool others give out as well: allowed, but seldom meant, so it is told.

import { addressText } from '../../base/ip.ts';
import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import { type AddressRange, rangeOf } from '../addresses/range.ts';
import type { Plan } from '../allocation/plan.ts';

/** One sentence for each, the first few of them. */
export function overlapsOf(pool: IPPool, pools: ReadonlyMap<string, Plan>): readonly string[] {
  const entries = pool.spec?.pools ?? [];
  const ranges = entries.flatMap((entry, at) => {
    const range = rangeOf(entry);
    return range === undefined ? [] : [{ field: `spec.pools[${at}]`, range }];
  });
  const key = keyText(keyOf(pool));
  const others = [...pools].filter(([name]) => name !== key);
  return [
    ...ranges.flatMap(({ field, range }, at) => ranges.slice(at + 1).flatMap(other => meeting(field, range, other))),
    ...ranges.flatMap(({ field, range }) =>
      others.flatMap(([name, plan]) =>
        plan.ranges.flatMap(other => meeting(field, range, { field: `IPPool ${name}`, ...other })),
      ),
    ),
  ];
}

function meeting(field: string, range: AddressRange, other: { field: string; range: AddressRange }): readonly string[] {
  const { family, first, last } = other.range;
  if (family !== range.family || first > range.last || range.first > last) return [];
  const [, bits = first] = [first, range.first].toSorted((one, two) => Number(one > two) - Number(one < two));
  return [`${field} and ${other.field} both give out ${addressText({ family, bits })}`];
}
