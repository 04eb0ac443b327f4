// What every part of the handler works with: the parts that never change, and the call at hand.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { ApiRequest, EventStream, Identity } from '../kube/transport.ts';
import type { DynamicAdmission } from './admission/dynamic.ts';
import type { AuditIds } from './answer/audit-id.ts';
import type { Subject } from './answer/status.ts';
import type { RequestCounts } from './metrics.ts';
import type { ApiParts, Attributes, Resource } from './parts.ts';
import type { Registry } from './registry.ts';
import type { ResourcePath } from './request/path.ts';
import type { Store, StoreKey } from './store.ts';
import type { FrameCache } from './verbs/watch-frames.ts';
import type { PieceCache } from './verbs/watch-pieces.ts';

/** One API server's insides. */
export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly parts: ApiParts;
  readonly registry: Registry;
  readonly frames: FrameCache;
  readonly pieces: PieceCache;
  /** Webhooks and policies. */
  readonly dynamic: DynamicAdmission;
  readonly requests: RequestCounts;
  readonly auditIds: AuditIds;
  /** Hears of what the server failed to do by itself; what a client asked for fails in its answer. */
  readonly log: Log;
  /** Open watches: they end with the server. */
  readonly watches: Set<OpenWatch>;
}

/** A watch of what is kept in one storage. */
interface OpenWatch extends EventStream {
  readonly storage: string;
}

/** One request for a resource, authenticated and allowed. */
export interface Call {
  readonly core: Core;
  readonly request: ApiRequest;
  readonly identity: Identity;
  readonly path: ResourcePath;
  readonly query: URLSearchParams;
  readonly resource: Resource;
  readonly attributes: Attributes;
  /** Warnings that the answer's headers will carry. */
  readonly warnings: string[];
}

/** Where the call's object is kept. */
export function keyOf(call: Call, name: string = call.path.name): StoreKey {
  return { storage: call.resource.storageName, namespace: call.path.namespace, name };
}

/** What refusals about the call's object are about. */
export function subjectOf(call: Call, name: string = call.path.name): Subject {
  return { group: call.resource.group, resource: call.resource.plural, name };
}

/** The same, where Kubernetes names the kind: that of the group in which it is kept, whichever serves it. */
export function kindSubjectOf({ resource, path }: Call, name: string = path.name): Subject {
  const group = resource.storageName === resource.plural ? '' : resource.group;
  return { group, resource: resource.kind, name };
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}
