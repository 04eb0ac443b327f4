// The embedded API, wired: in process for tests, with every part but those that were left out.

import { createApi, type EmbeddedApi } from '../apiserver/api.ts';
import { accessParts } from '../apiserver/auth/index.ts';
import type { ApiParts, Stored } from '../apiserver/parts.ts';
import type { Store } from '../apiserver/store.ts';
import { memoryStore } from '../apiserver/store-memory.ts';
import type { Clock } from '../base/clock.ts';
import type { KeyPair, RequestReader, Signatures } from '../base/keys.ts';
import type { Random } from '../base/random.ts';
import type { Identity, Transport } from '../kube/transport.ts';
import { schemaParts, withAccess } from './api-parts.ts';
import { noWebhooksByUrl, type WebhooksOver, webhookPort } from './webhook-services.ts';

/** May do everything: the identity of tests and of the programs that `up` runs itself. */
export const adminIdentity: Identity = {
  name: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

/** With it, requests are authenticated and authorized as over the wire; without it only system:masters may do anything. */
export interface AccessSetup {
  readonly cryptography: Signatures & RequestReader;
  readonly tokenKey: KeyPair;
}

export interface InProcessSetup {
  readonly clock: Clock;
  readonly random: Random;
  readonly access?: AccessSetup;
  /** Webhooks of Services that stand in this process: the only ones that are called. */
  readonly webhooks?: WebhooksOver;
  /** `trusted`: definitions of kinds are not judged, because a test did: that is most of the time that many of them take. */
  readonly definitions?: 'trusted';
  /** What the objects are kept in: an empty store in memory unless told otherwise. */
  readonly store?: Store;
}

export interface InProcessApi {
  /** Requests without an identity are the administrator's. */
  readonly transport: Transport;
  /** The same API for whoever this is. */
  as(identity: Identity): Transport;
  readonly api: EmbeddedApi;
  close(): Promise<void>;
}

/** An API in this process: in memory, deterministic under a virtual clock and seeded chance. */
export async function inProcessApi(setup: InProcessSetup): Promise<InProcessApi> {
  const { clock, random, access } = setup;
  const partsOver = (stored: Stored): ApiParts =>
    access === undefined ? schemaParts : withAccess(accessParts({ ...access, stored, clock, random }));
  const parts = (stored: Stored): ApiParts => {
    const { crdCheck, ...all } = partsOver(stored);
    const webhooks = webhookPort(setup.webhooks?.(stored) ?? new Map(), noWebhooksByUrl);
    return { ...all, webhooks, ...(setup.definitions === undefined && crdCheck !== undefined ? { crdCheck } : {}) };
  };
  const api = await createApi({ store: setup.store ?? memoryStore(), clock, random, parts });
  const as =
    (identity: Identity): Transport =>
    request =>
      api.transport({ ...request, identity: request.identity ?? identity });
  return { transport: as(adminIdentity), as, api, close: () => api.close() };
}
