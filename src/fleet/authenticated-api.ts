// The embedded API with everything that decides who may do what, over whatever store and keys it is given.

import { webhookCaller } from '../adapters/http/webhook-caller.ts';
import { createApi, type EmbeddedApi } from '../apiserver/api.ts';
import { type AccessOptions, accessParts, controllerRoles } from '../apiserver/auth/index.ts';
import { type ClusterPlugin, type ClusterWorld, clusterAdmission, clusterObjects } from '../apiserver/builtin/index.ts';
import type { ServiceRanges } from '../apiserver/objects/service-ranges.ts';
import type { ApiParts, Stored } from '../apiserver/parts.ts';
import type { Store } from '../apiserver/store.ts';
import type { Cryptography } from '../base/keys.ts';
import { type Log, silentLog } from '../base/log.ts';
import { withAccess } from './api-parts.ts';
import { type WebhooksOver, webhookPort } from './webhook-services.ts';

export interface AuthenticatedSetup
  extends Pick<AccessOptions, 'clock' | 'random' | 'tokenKey' | 'staticTokens' | 'issuer' | 'audiences'> {
  readonly store: Store;
  readonly keys: Cryptography;
  readonly log?: Log;
  /** Webhooks of Services that stand in this process. */
  readonly webhooks?: WebhooksOver;
  /** Whose certificates prove who a client is; none without it. */
  readonly clientAuthorityPem?: string;
  /** How long Events stay after they were last written; 0: for ever. */
  readonly eventTtlMs?: number;
  /** Which of the real server's default admission plugins do not run. */
  readonly pluginsOff?: readonly ClusterPlugin[];
  readonly serviceRanges?: ServiceRanges;
  readonly minWatchSeconds?: number;
  /** How long Pods stay on Nodes that are away. */
  readonly patience?: ClusterWorld['patience'];
  /** Has the last word on what the API is put together from. */
  readonly adjust?: (parts: ApiParts, stored: Stored) => ApiParts;
}

/** Resolves once the objects that must exist do. The store is the caller's to close when this rejects. */
export function authenticatedApi(setup: AuthenticatedSetup): Promise<EmbeddedApi> {
  const { store, clock, random, keys, adjust = parts => parts } = setup;
  const { webhooks = () => new Map(), log = silentLog, pluginsOff, eventTtlMs, patience } = setup;
  const byUrl = webhookCaller();
  return createApi({
    store,
    clock,
    random,
    log,
    ...(eventTtlMs === undefined ? {} : { eventTtlMs }),
    parts: stored => {
      const plugins = clusterAdmission(
        { stored, random: random.stream('admission'), ...(patience === undefined ? {} : { patience }) },
        pluginsOff,
      );
      const access = accessParts({ ...setup, stored, cryptography: keys });
      const standing = [...access.bootstrapObjects, ...controllerRoles(), ...clusterObjects(setup)];
      const whole = withAccess({ ...access, bootstrapObjects: standing }, plugins);
      return adjust({ ...whole, ...numbersIn(setup), webhooks: webhookPort(webhooks(stored), byUrl) }, stored);
    },
  });
}

const numbersIn = ({ serviceRanges, minWatchSeconds }: AuthenticatedSetup): Partial<ApiParts> => ({
  ...(serviceRanges === undefined ? {} : { serviceRanges }),
  ...(minWatchSeconds === undefined ? {} : { minWatchSeconds }),
});
