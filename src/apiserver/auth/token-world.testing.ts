// A world of tokens with seeded keys and a clock that the test moves, for the tests of this folder.

import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { type VirtualClock, virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { StoredObjects } from './stored.testing.ts';
import { DEFAULT_ISSUER, type TokenWorld } from './token-world.ts';

export interface TestTokenWorld extends TokenWorld {
  readonly clock: VirtualClock;
  readonly stored: StoredObjects;
}

export async function tokenWorld(): Promise<TestTokenWorld> {
  const random = seededRandom(1);
  const keys = seededKeys(random.stream('keys'));
  return {
    clock: virtualClock(),
    random: random.stream('tokens'),
    signatures: keys,
    stored: new StoredObjects(),
    key: await keys.pair(),
    issuer: DEFAULT_ISSUER,
    audiences: [DEFAULT_ISSUER],
  };
}
