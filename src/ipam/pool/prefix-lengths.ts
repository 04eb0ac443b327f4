// Which prefixes of a pool no address of its ranges can have. Upstream's admission takes them, so ours does: the pool tells.

import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { rangeOf } from '../addresses/range.ts';

/** Each sentence begins with its field. 0 is as good as none. */
export function prefixLengthFaults({ spec }: Pick<IPPool, 'spec'>): readonly string[] {
  const { prefix: shared = 0, pools = [] } = spec ?? {};
  const faults = pools.flatMap((entry, at) => {
    const family = rangeOf(entry)?.family;
    const [field, prefix] = entry.prefix ? [`spec.pools[${at}].prefix`, entry.prefix] : ['spec.prefix', shared];
    const longest = family === 4 ? 32 : 128;
    if (family === undefined || (prefix >= 0 && prefix <= longest)) return [];
    return [`${field}: ${prefix} is no prefix length of an IPv${family} address: 1 to ${longest}`];
  });
  return [...new Set(faults)];
}
