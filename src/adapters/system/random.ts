// The machine's own chance, fit for names, keys and jitter alike.

import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Random } from '../../base/random.ts';

/** Real chance; every stream is the same one. */
export const systemRandom: Random = {
  below: n => randomInt(n),
  uuid: () => randomUUID(),
  bytes: n => new Uint8Array(randomBytes(n)),
  stream: () => systemRandom,
};
