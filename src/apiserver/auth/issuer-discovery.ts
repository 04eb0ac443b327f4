// What a stranger needs to check the tokens of service accounts: who issues them, and the keys that sign them.

import { createPublicKey } from 'node:crypto';
import type { JsonObject } from '../parts.ts';
import type { IssuerDocuments } from '../token-parts.ts';
import { keyIdOf } from './jwt.ts';
import type { TokenWorld } from './token-world.ts';

/** Put together when first asked for: few clusters have anybody who asks. */
export function issuerDocuments({ issuer, key, signatures }: TokenWorld): IssuerDocuments {
  const algorithm = (): string => signatures.algorithm(key.publicKeyPem);
  return {
    configuration: keysAddress => ({
      issuer,
      jwks_uri: keysAddress,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm()],
    }),
    keys: () => {
      const { kty, ...numbers } = createPublicKey(key.publicKeyPem).export({ format: 'jwk' });
      const named = { use: 'sig', kty, kid: keyIdOf(signatures, key.publicKeyPem), alg: algorithm() };
      return { keys: [{ ...named, ...numbers } as JsonObject] };
    },
  };
}
