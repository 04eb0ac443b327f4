// What issuing and checking service account tokens needs.

import type { Clock } from '../../base/clock.ts';
import type { KeyPair, Signatures } from '../../base/keys.ts';
import type { Random } from '../../base/random.ts';
import type { Stored } from '../parts.ts';

export const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

export interface TokenWorld {
  readonly clock: Clock;
  /** A stream of its own: gives each token its id. */
  readonly random: Random;
  readonly signatures: Signatures;
  readonly stored: Stored;
  readonly key: KeyPair;
  readonly issuer: string;
  /** What tokens for the API itself are for; the issuer unless told otherwise. */
  readonly audiences: readonly string[];
}
