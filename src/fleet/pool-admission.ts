// The verdict of the admission endpoint on a pool: the address manager's, with the addresses that the pool says it gave out.

import { faultText, poolFaults } from '../ipam/pool/faults.ts';
import type { PoolVerdict } from '../metal/admission/review.ts';

/** A pool that was wrong before may change in what is not wrong: the faults it had are its controller's to tell. */
export const poolVerdict: PoolVerdict = (pool, before) => {
  const inUse = Object.values(before?.status?.indexes ?? {});
  const faults = poolFaults(pool, inUse).map(faultText);
  const known = new Set(before === undefined ? [] : poolFaults(before).map(faultText));
  return faults.filter(fault => !known.has(fault));
};
