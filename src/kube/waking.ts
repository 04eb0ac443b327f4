// What puts a key into a controller's queue: changes of its own kind, changes of kinds that wake it, and its start.

import { messageOf } from '../base/errors.ts';
import type { Ref } from './api.ts';
import type { CacheChange, Informer } from './cache.ts';
import type { Concluded } from './concluded.ts';
import type { KubeWorld, WokenBy } from './controller.ts';
import type { Kind } from './kind.ts';
import { isDeleting, type KubeObject, keyOf, keyText } from './object.ts';
import type { Lane, Queue } from './queue.ts';
import { WaitedFor } from './waited-for.ts';

/** A change, as a key hears of it. */
interface News {
  readonly kind: Kind;
  readonly change: CacheChange<KubeObject>;
  readonly lane: Lane;
}

/** What is left of a pass. */
interface Ended {
  readonly concluded?: Concluded | undefined;
  /** What it waits for. */
  readonly on?: Ref | undefined;
}

interface Going {
  readonly since: number;
  readonly heard: News[];
}

/** Wakes a controller by changes, other than those that the last pass of a key made itself and has concluded from. */
export class Waking {
  private readonly queue: Queue;
  /** Bounded by the objects that exist: what a key's last pass wrote goes with its next one, or with its object. */
  private readonly concluded = new Map<string, Concluded>();
  /** What changed while a pass of its key went on: which of it the pass made itself is known when it has ended. */
  private readonly going = new Map<string, Going>();
  private readonly waits = new WaitedFor<News>();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  /** A pass of this key begins on a cache that shows all writes of the one before, and whatever woke it until now. */
  passBegins(key: string): void {
    this.queue.cover(key);
    this.concluded.delete(key);
    this.waits.remove(key);
    this.going.set(key, { since: this.waits.now, heard: [] });
  }

  /** `concluded`: of a key whose object is still there. */
  passEnds(key: string, { concluded, on }: Ended): void {
    const { since, heard } = this.going.get(key) ?? { since: this.waits.now, heard: [] };
    this.going.delete(key);
    if (concluded !== undefined && !concluded.isBlank) this.concluded.set(key, concluded);
    for (const news of heard) this.judge(key, news);
    const missed = on === undefined ? undefined : this.waits.add(key, on, since);
    if (missed !== undefined) this.judge(key, missed);
    const [oldest] = this.going.values();
    this.waits.forgetUntil(oldest?.since ?? this.waits.now);
  }

  /** These keys are concerned, and those that wait for the object. */
  hear(news: News, keys: readonly string[]): void {
    const { kind, change } = news;
    const concerned = new Set([...keys, ...this.waits.hear(kind, keyOf(change.object), news)]);
    for (const key of concerned) {
      const going = this.going.get(key);
      if (going === undefined) this.judge(key, news);
      else going.heard.push(news);
    }
  }

  /** The object of this key is gone, and with it every reason to spare a pass. */
  forget(key: string): void {
    this.concluded.delete(key);
  }

  private judge(key: string, { kind, change, lane }: News): void {
    if (this.concluded.get(key)?.isEcho(kind, change) === true) return;
    this.queue.add(key, `${kind.kind} ${keyText(keyOf(change.object))} ${change.type}`, lane);
  }
}

interface Own {
  readonly waking: Waking;
  readonly queue: Queue;
  readonly heeds: ((object: KubeObject) => boolean) | undefined;
}

/** Queues the objects that are there and those that change. The returned function ends it. */
export function wakeByOwn(informer: Informer<KubeObject>, { waking, queue, heeds }: Own): () => void {
  const existing = (object: KubeObject): void => {
    // After a restart every object is looked at again, but one that is being deleted has been waiting for us.
    queue.add(keyText(keyOf(object)), 'start', isDeleting(object) ? 'change' : 'routine');
  };
  const isHeeded = (object: KubeObject | undefined): boolean =>
    object !== undefined && (heeds === undefined || heeds(object));
  if (informer.synced) for (const object of informer.list()) if (isHeeded(object)) existing(object);
  return informer.onChange(change => {
    const { type, object, previous } = change;
    const key = keyText(keyOf(object));
    if (type === 'deleted') waking.forget(key);
    if (!isHeeded(object) && !isHeeded(previous)) return;
    if (!informer.synced) existing(object);
    else waking.hear({ kind: informer.kind, change, lane: 'change' }, [key]);
  });
}

/** Queues the keys that a change of another kind concerns, by what the object was and is. */
export function wakeByOther<W extends KubeWorld>(
  { keysFor, matters }: Pick<WokenBy<W>, 'keysFor' | 'matters'>,
  informer: Informer<KubeObject>,
  waking: Waking,
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
  return informer.onChange(change => {
    const { type, object, previous } = change;
    if (type === 'updated' && previous !== undefined && matters?.(object, previous) === false) return;
    const lane = informer.synced ? 'change' : 'routine';
    waking.hear({ kind: informer.kind, change, lane }, [...keysOf(previous), ...keysOf(object)]);
  });
}
