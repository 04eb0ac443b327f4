// Golden bases by name: one VM per image reference, never run, from which each Pod's VM is cloned in a moment.

import { createHash } from 'node:crypto';
import { GOLDEN_LABEL_PREFIX } from '../../kinds/wire.ts';

const PREFIX = 'tuist-golden-';

/** The first 8 bytes of the SHA-256 of the image exactly as the Pod names it: schedulers compute the same. */
const hashOf = (image: string): string => createHash('sha256').update(image).digest('hex').slice(0, 16);

export const goldenName = (image: string): string => `${PREFIX}${hashOf(image)}`;

export const isGolden = (vm: string): boolean => /^tuist-golden-[0-9a-f]{16}$/.test(vm);

/** The Node's label for a golden base that is on its disk. */
export const goldenLabel = (golden: string): string => `${GOLDEN_LABEL_PREFIX}${golden.slice(PREFIX.length)}`;
