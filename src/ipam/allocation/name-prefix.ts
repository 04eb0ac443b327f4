// Whether addresses of a pool can have names at all: a prefix that Kubernetes takes in no name serves nobody.

import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { objectName } from './plan.ts';

/** As Kubernetes wants the name of an object. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;

const SOME_ADDRESS = '10.0.0.1';

/**
 * In words that begin with the field. Upstream's admission lets such a pool in, so ours does; it cannot be mended, as its
 * prefix may not change.
 */
export function prefixFault({ spec }: Pick<IPPool, 'spec'>): string | undefined {
  const prefix = spec?.namePrefix ?? '';
  const name = objectName(prefix, SOME_ADDRESS);
  if (NAME.test(name) && name.length <= LONGEST_NAME) return undefined;
  return `spec.namePrefix: "${prefix}" begins no valid name (small letters, digits, "-" and "."), and cannot be changed: delete this pool and make it with another prefix`;
}
