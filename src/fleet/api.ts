// The embedded API, wired: in process for tests.

import { createApi, type EmbeddedApi } from '../apiserver/api.ts';
import { minimalResources } from '../apiserver/minimal-resources.ts';
import { memoryStore } from '../apiserver/store-memory.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Identity, Transport } from '../kube/transport.ts';

/** May do everything: the identity of tests and of the programs that `up` runs itself. */
export const adminIdentity: Identity = {
  name: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

export interface InProcessApi {
  /** Requests without an identity are the administrator's. */
  readonly transport: Transport;
  /** The same API for whoever this is. */
  as(identity: Identity): Transport;
  readonly api: EmbeddedApi;
  close(): Promise<void>;
}

/** An API in this process: in memory, deterministic under a virtual clock and seeded chance. */
export async function inProcessApi({ clock, random }: { clock: Clock; random: Random }): Promise<InProcessApi> {
  const api = await createApi({ store: memoryStore(), clock, random, parts: () => ({ resources: minimalResources }) });
  const as =
    (identity: Identity): Transport =>
    request =>
      api.transport({ ...request, identity: request.identity ?? identity });
  return { transport: as(adminIdentity), as, api, close: () => api.close() };
}
