// Bytes come whole: an amount of memory that ends in `m` was hardly meant.

import { remembered } from '../../base/remembered.ts';
import type { JsonObject } from '../parts.ts';
import { canonicalQuantity, nanoOf } from './quantity.ts';

const IN_BYTES = ['memory', 'ephemeral-storage'];

const isFraction = remembered(amount => ((nanoOf(amount) ?? 0n) / 1_000_000n) % 1000n !== 0n);

export function fractionWarnings(
  path: string,
  amounts: JsonObject,
  names: readonly string[] = IN_BYTES,
): readonly string[] {
  return names.flatMap(name => {
    const amount = amounts[name];
    if (typeof amount !== 'string' || !isFraction(amount)) return [];
    const shown = JSON.stringify(canonicalQuantity(amount) ?? amount);
    return [`${path}[${name}]: fractional byte value ${shown} is invalid, must be an integer`];
  });
}
