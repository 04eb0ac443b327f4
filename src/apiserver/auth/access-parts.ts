// Authentication and authorization put together, as the request handler takes them.

import type { Clock } from '../../base/clock.ts';
import type { KeyPair, RequestReader, Signatures } from '../../base/keys.ts';
import type { Random } from '../../base/random.ts';
import type { ApiParts, Stored } from '../parts.ts';
import { authenticator, type StaticToken, tokenReader } from './authenticate.ts';
import { authorization } from './authorizers.ts';
import { certificateAdmission } from './csr-admission.ts';
import { noEscalation } from './escalation.ts';
import { tokenIssuer } from './issue-token.ts';
import { issuerDocuments } from './issuer-discovery.ts';
import { nodeRestriction } from './node-restriction.ts';
import { bootstrapObjects } from './policy/bootstrap.ts';
import { reviews } from './reviews.ts';
import { DEFAULT_ISSUER, type TokenWorld } from './token-world.ts';

export interface AccessOptions {
  /** What is stored now; `revision` makes RBAC checks cheap. */
  readonly stored: Stored;
  readonly clock: Clock;
  readonly random: Random;
  readonly cryptography: Signatures & RequestReader;
  /** Signs service account tokens. Kept over restarts: a new one ends every token. */
  readonly tokenKey: KeyPair;
  readonly staticTokens?: readonly StaticToken[];
  readonly issuer?: string;
  /** What tokens for this API are for; the issuer unless told otherwise. */
  readonly audiences?: readonly string[];
}

type AccessParts = Required<
  Pick<ApiParts, 'authenticator' | 'authorizer' | 'admission' | 'tokens' | 'issuer' | 'reviews' | 'bootstrapObjects'>
>;

/** What issues and checks tokens: for `mintSecretToken` too. */
export function tokenWorldOf(options: AccessOptions): TokenWorld {
  const { clock, random, stored, cryptography, tokenKey, issuer = DEFAULT_ISSUER, audiences = [issuer] } = options;
  return { clock, random, stored, signatures: cryptography, key: tokenKey, issuer, audiences };
}

export function accessParts(options: AccessOptions): AccessParts {
  const { stored, clock, cryptography: requests, staticTokens = [] } = options;
  const tokens = tokenWorldOf(options);
  const { authorize, snapshot } = authorization(stored);
  const authentication = { tokens, staticTokens };
  const readToken = tokenReader(authentication);
  return {
    authenticator: authenticator(authentication, readToken),
    authorizer: authorize,
    // Escalation comes last: it judges the object as it is to be stored.
    admission: [
      nodeRestriction({ stored, authorize, requests }),
      certificateAdmission({ authorize, requests, clock }),
      noEscalation({ authorize, snapshot }),
    ],
    tokens: tokenIssuer(tokens),
    issuer: issuerDocuments(tokens),
    reviews: reviews({ authorize, snapshot, readToken, audiences: tokens.audiences, clock }),
    bootstrapObjects: bootstrapObjects(),
  };
}
