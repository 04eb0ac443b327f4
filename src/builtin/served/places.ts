// Where each object of whatever kind is, by its UID and by those of its owners: nobody asks every kind there is for one.

import type { CacheChange, Informer } from '../../kube/cache.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import type { ServedKind } from './discovery.ts';

interface Place {
  readonly kind: ServedKind;
  readonly informer: Informer<KubeObject>;
  readonly key: ObjectKey;
  readonly uid: string;
}

/** An object, and the kind under which it is served. */
interface Placed {
  readonly kind: ServedKind;
  readonly object: KubeObject;
}

/** Bounded by the objects that the caches hold. */
export class Places {
  private readonly byUid = new Map<string, Place>();
  private readonly byOwner = new Map<string, Map<string, Place>>();

  /** Follows a kind's objects, those that are there already too. The returned function ends it. */
  follow(kind: ServedKind, informer: Informer<KubeObject>): () => void {
    for (const object of informer.list()) this.put(object, { kind, informer });
    const stop = informer.onChange(change => this.learn(change, { kind, informer }));
    return () => {
      stop();
      for (const object of informer.list()) this.drop(object);
    };
  }

  withUid(uid: string): Placed | undefined {
    const place = this.byUid.get(uid);
    return place === undefined ? undefined : placed(place);
  }

  dependentsOf(uid: string): readonly Placed[] {
    return [...(this.byOwner.get(uid)?.values() ?? [])].map(placed).filter(each => each !== undefined);
  }

  private learn({ type, object, previous }: CacheChange<KubeObject>, at: Pick<Place, 'kind' | 'informer'>): void {
    if (type === 'updated' && previous !== undefined && ownersOf(previous).join() === ownersOf(object).join()) return;
    if (previous !== undefined) this.drop(previous);
    if (type !== 'deleted') this.put(object, at);
  }

  private put(object: KubeObject, at: Pick<Place, 'kind' | 'informer'>): void {
    const { uid } = object.metadata;
    if (uid === undefined) return;
    const place = { ...at, key: keyOf(object), uid };
    this.byUid.set(uid, place);
    for (const owner of ownersOf(object)) {
      const dependents = this.byOwner.get(owner) ?? new Map<string, Place>();
      this.byOwner.set(owner, dependents.set(uid, place));
    }
  }

  private drop(object: KubeObject): void {
    const { uid = '' } = object.metadata;
    this.byUid.delete(uid);
    for (const owner of ownersOf(object)) {
      const dependents = this.byOwner.get(owner);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.byOwner.delete(owner);
    }
  }
}

/** As the cache has it now. */
function placed({ kind, informer, key, uid }: Place): Placed | undefined {
  const object = informer.get(key);
  return object?.metadata.uid === uid ? { kind, object } : undefined;
}

const ownersOf = ({ metadata }: KubeObject): readonly string[] =>
  metadata.ownerReferences?.map(owner => owner.uid) ?? [];
