// What Kubernetes' own controllers need to know of an API that is served here: its keys, its tokens, its kinds.

import { mintSecretToken, nodeSigner, tokenWorldOf } from '../apiserver/auth/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Cryptography } from '../base/keys.ts';
import type { Random } from '../base/random.ts';
import { type BuiltinOptions, discoveryOf } from '../builtin/index.ts';
import { callerOf } from '../kube/client.ts';
import { sharedReader } from './manifests.ts';
import type { ServedApi } from './serve-api.ts';

/** By this name Kubernetes' own controllers write, and own fields. */
export const CONTROLLER_MANAGER = 'kube-controller-manager';

interface Seams {
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Cryptography;
}

/** An API with the keys that it was started with. */
export type KeyedApi = Pick<ServedApi, 'authority' | 'authorityNotAfter' | 'tokenKey' | 'api' | 'transport'>;

export function kubernetesOptions({ clock, random, keys }: Seams, served: KeyedApi): BuiltinOptions {
  const { authority, authorityNotAfter, tokenKey, api } = served;
  const tokens = tokenWorldOf({ stored: api.stored, clock, random, cryptography: keys, tokenKey });
  return {
    discovery: discoveryOf(callerOf(served.transport, { clock, identity: sharedReader })),
    mintToken: subject => Promise.resolve(mintSecretToken(tokens, subject)),
    signer: nodeSigner({ keys, authority, authorityNotAfter, clock }),
    rootCaPem: authority.certificatePem,
  };
}
