// What puts a key into a controller's queue: changes of its own kind, changes of kinds that wake it, and its start.

import { messageOf } from '../base/errors.ts';
import type { CacheChange, Informer } from './cache.ts';
import type { KubeWorld, WokenBy } from './controller.ts';
import { isDeleting, type KubeObject, keyOf, keyText } from './object.ts';
import type { Queue } from './queue.ts';

/** Wakes a controller by changes of its own kind, other than those it made itself and need not look at again. */
export class OwnKindWaking {
  private readonly informer: Informer<KubeObject>;
  private readonly queue: Queue;
  /** Versions that the last pass of a key made and that need no further pass. */
  private readonly quiet = new Map<string, ReadonlySet<string>>();
  /** What changed while a pass of its key went on: which of it the pass made itself is known when it has ended. */
  private readonly during = new Map<string, CacheChange<KubeObject>[]>();

  constructor(informer: Informer<KubeObject>, queue: Queue) {
    this.informer = informer;
    this.queue = queue;
  }

  /** Queues the objects that are there and those that change. The returned function ends it. */
  start(): () => void {
    if (this.informer.synced) for (const object of this.informer.list()) this.existing(object);
    return this.informer.onChange(change => {
      const key = keyText(keyOf(change.object));
      if (!this.informer.synced) this.existing(change.object);
      else if (this.during.has(key)) this.during.get(key)?.push(change);
      else this.hear(key, change);
    });
  }

  /** A pass of this key begins on a cache that shows all writes of the one before. */
  passBegins(key: string): void {
    this.quiet.delete(key);
    this.during.set(key, []);
  }

  passEnds(key: string, quietVersions: readonly string[] = []): void {
    if (quietVersions.length > 0) this.quiet.set(key, new Set(quietVersions));
    const changes = this.during.get(key) ?? [];
    this.during.delete(key);
    for (const change of changes) this.hear(key, change);
  }

  private existing(object: KubeObject): void {
    // After a restart every object is looked at again, but one that is being deleted has been waiting for us.
    this.queue.add(keyText(keyOf(object)), 'start', isDeleting(object) ? 'change' : 'routine');
  }

  private hear(key: string, { type, object }: CacheChange<KubeObject>): void {
    const isQuiet = this.quiet.get(key)?.has(object.metadata.resourceVersion ?? '') ?? false;
    if (type === 'deleted') this.quiet.delete(key);
    if (type === 'deleted' || !isQuiet) this.queue.add(key, `${this.informer.kind.kind} ${type}`, 'change');
  }
}

/** Queues the keys that a change of another kind concerns, by what the object was and is. */
export function wakeByOther<W extends KubeWorld>(
  { keysFor }: Pick<WokenBy<W>, 'keysFor'>,
  informer: Informer<KubeObject>,
  queue: Queue,
  world: W,
): () => void {
  const keysOf = (object: KubeObject | undefined): readonly string[] => {
    try {
      return object === undefined ? [] : keysFor(object, world).map(keyText);
    } catch (error) {
      world.log.error('Cannot tell which objects a change concerns; their timers will look at them', {
        object: `${informer.kind.kind} ${object === undefined ? '' : keyText(keyOf(object))}`,
        error: messageOf(error),
      });
      return [];
    }
  };
  return informer.onChange(({ type, object, previous }: CacheChange<KubeObject>) => {
    const lane = informer.synced ? 'change' : 'routine';
    const why = `${informer.kind.kind} ${keyText(keyOf(object))} ${type}`;
    for (const key of new Set([...keysOf(previous), ...keysOf(object)])) queue.add(key, why, lane);
  });
}
