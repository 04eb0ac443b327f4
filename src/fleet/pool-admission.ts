// The verdict of the admission endpoint on a pool: the address manager's, with the addresses that are held of it now.

import { faultText, poolFaults } from '../ipam/pool/faults.ts';
import { heldTextsOf, type Listing } from '../ipam/pool/held.ts';
import type { IPPool } from '../kinds/generated/ip-pool.generated.ts';
import { same } from '../kube/merge-patch.ts';
import type { PoolVerdict } from '../metal/admission/review.ts';

/** A pool that was wrong before may change in what is not wrong: the faults it had are its controller's to tell. */
export const poolVerdict =
  (list: Listing): PoolVerdict =>
  async (pool, before) => {
    const inUse = before === undefined ? [] : await inUseOf(pool, before, list);
    const faults = poolFaults(pool, inUse).map(faultText);
    const known = new Set(before === undefined ? [] : poolFaults(before).map(faultText));
    return faults.filter(fault => !known.has(fault));
  };

/** Only other bounds can leave an address out: all else is judged without a list. */
async function inUseOf(pool: IPPool, before: IPPool, list: Listing): Promise<readonly string[]> {
  return same(pool.spec?.pools ?? [], before.spec?.pools ?? []) ? [] : heldTextsOf(before, list);
}
