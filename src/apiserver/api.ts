// The embedded API: a Transport over a store, put together from parts. Importable in process; HTTP is one more face.

import type { Clock } from '../base/clock.ts';
import { type Log, silentLog } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { Identity } from '../kube/transport.ts';
import type { ServedRequest, ServedResponse } from './access.ts';
import { DynamicAdmission } from './admission/dynamic.ts';
import { AuditIds } from './answer/audit-id.ts';
import { bootstrap } from './bootstrap.ts';
import type { Core } from './core.ts';
import { followDefinitions } from './custom-resources.ts';
import { EVENT_TTL_MS, expireEvents } from './event-expiry.ts';
import { handle } from './handler.ts';
import { RequestCounts } from './metrics.ts';
import type { ApiParts, JsonObject, Resource, Stored } from './parts.ts';
import { Registry } from './registry.ts';
import type { Store } from './store.ts';
import { FrameCache } from './verbs/watch-frames.ts';
import { PieceCache } from './verbs/watch-pieces.ts';

export interface ApiSetup {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** How long Events stay after they were last written; 0: for ever. An hour unless told otherwise. */
  readonly eventTtlMs?: number;
  /** Built once the store is there: authorizers and admission read what is stored. */
  readonly parts: (stored: Stored) => ApiParts;
}

/** A running API server in this process. */
export interface EmbeddedApi {
  /** A Transport; the HTTP server adds the client certificate to its requests. */
  readonly transport: (request: ServedRequest) => Promise<ServedResponse>;
  readonly stored: Stored;
  /** Forgets the history of changes: watches and pages from before get 410. */
  compact(): void;
  close(): Promise<void>;
}

/** Resolves once the namespaces and other objects that must exist do. */
export async function createApi(setup: ApiSetup): Promise<EmbeddedApi> {
  const { store, clock, random, parts, log = silentLog, eventTtlMs = EVENT_TTL_MS } = setup;
  const stored = storedIn(store);
  const built = parts(stored);
  const registry = new Registry(built.resources);
  const dynamic = new DynamicAdmission(stored, store, built.serverPluginsOff);
  const caches = { frames: new FrameCache(), pieces: new PieceCache() };
  const told = { requests: new RequestCounts(), auditIds: new AuditIds(clock), log };
  const core: Core = { store, clock, random, parts: built, registry, ...caches, dynamic, ...told, watches: new Set() };
  const transport = (request: ServedRequest): Promise<ServedResponse> => handle(core, request);
  const unfollow = followDefinitions(core, (resource, identity) => deleteAll(core, resource, identity));
  await bootstrap(core);
  const letEventsStay = expireEvents({ store, clock, log, ttlMs: eventTtlMs });
  return {
    transport,
    stored,
    compact: () => store.compact(),
    close: async () => {
      letEventsStay();
      unfollow();
      for (const watch of core.watches) watch.close('the API stops');
      await store.close();
    },
  };
}

/** What is stored, for authorizers and admission; each storage with the revision of its newest change. */
function storedIn(store: Store): Stored {
  const revisions = new Map<string, number>();
  store.onChange(({ row }) => revisions.set(row.storage, row.revision));
  const objectsOf = (storage: string, namespace?: string): readonly JsonObject[] =>
    (store.range(storage, namespace === undefined ? {} : { namespace })?.rows ?? []).map(row => row.object);
  return {
    get: (storage, namespace, name) => store.get({ storage, namespace, name })?.object,
    list: objectsOf,
    revision: storage => revisions.get(storage) ?? 0,
  };
}

/** Deletes every object of a resource through the handler, so that finalizers and watches are served as always. */
async function deleteAll(core: Core, resource: Resource, identity: Identity): Promise<void> {
  const refused: string[] = [];
  const root = `/apis/${resource.group}/${resource.version}`;
  for (const row of core.store.range(resource.storageName)?.rows ?? []) {
    const scope = row.namespace === '' ? '' : `/namespaces/${row.namespace}`;
    const path = `${root}${scope}/${resource.plural}/${row.name}`;
    const { status } = await handle(core, { method: 'DELETE', path, query: '', headers: {}, identity });
    if (status >= 400 && status !== 404) refused.push(`${path} was answered with ${status}`);
  }
  if (refused.length > 0) throw new Error(`${refused.length} were not deleted: ${refused[0]}`);
}
