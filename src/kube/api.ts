// What a program can ask of a Kubernetes API, in types. The client (client.ts) implements it over any Transport.

import type { Kind } from './kind.ts';
import type { KubeObject, ObjectKey } from './object.ts';
import type { Identity } from './transport.ts';

export interface ListOptions {
  readonly namespace?: string;
  /** A label selector, as kubectl's `-l` takes it. */
  readonly labels?: string;
  /** A field selector, for instance `spec.nodeName=mac-0`. */
  readonly fields?: string;
}

export interface List<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

export interface DeleteOptions {
  /** Preconditions: the delete fails with Conflict unless they hold. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly graceSeconds?: number;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

export interface PatchOptions {
  /** `merge` unless told otherwise. */
  readonly type?: 'merge' | 'json' | 'strategic' | 'apply';
  readonly subresource?: string;
  /** For `apply`: who owns the fields, and whether conflicts are taken over. */
  readonly fieldManager?: string;
  readonly force?: boolean;
}

/** Live requests: every call reaches the server. Cached reads are `Informer`'s (cache.ts). */
export interface Api {
  /** Throws `ApiError`; NotFound included. */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T>;
  /** Undefined only on an absence that counts (safe-1); every other failure throws. */
  find<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined>;
  /** Reads all pages; a page that failed fails the list, so a list is never partial (safe-3). */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>>;
  create<T extends KubeObject>(kind: Kind<T>, object: T): Promise<T>;
  /** Creates below an object: `pods/binding`, `pods/eviction`, `serviceaccounts/token`. */
  createSub<R = unknown>(kind: Kind, key: ObjectKey, subresource: string, body: unknown): Promise<R>;
  /** Replaces; the object's resourceVersion is the lock. */
  update<T extends KubeObject>(kind: Kind<T>, object: T, subresource?: string): Promise<T>;
  /** `body` is a merge patch object, a JSON patch list, or a whole object for apply. */
  patch<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, body: unknown, options?: PatchOptions): Promise<T>;
  delete(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** Whether the server serves this kind, by discovery. Throws when discovery gives no clear answer (safe-1). */
  serves(kind: Kind): Promise<boolean>;
  /** The same API, asking as somebody else (in process only). */
  as(identity: Identity): Api;
}

/** What identifies an object in messages, waits and events. */
export interface Ref {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** The reference to an object that is at hand. */
export function refTo(kind: Kind, object: KubeObject): Ref {
  const { namespace, name, uid } = object.metadata;
  return { kind, name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) };
}

/** `Pod default/web`: how a reference reads in a sentence. */
export function refText(ref: Ref): string {
  return ref.namespace === undefined ? `${ref.kind.kind} ${ref.name}` : `${ref.kind.kind} ${ref.namespace}/${ref.name}`;
}
