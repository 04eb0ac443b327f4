// The garbage collector: whatever all of whose owners are gone goes too, of any kind that is served.

import { messageOf } from '../../base/errors.ts';
import type { KubeWorld, Periodic } from '../../kube/controller.ts';
import type { Kind } from '../../kube/kind.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import type { Content } from '../served/content.ts';
import { type Collection, collect, isOutOfDate } from './collect.ts';
import { concernedBy, GarbageQueue, type Item, needsLook } from './queue.ts';

const AT_ONCE = 8;

export interface GarbageOptions {
  /** The content of a process, made once its caches are there. */
  readonly content: (world: KubeWorld) => Content;
  /** How often discovery and the whole content are gone through, whatever the watches said. */
  readonly resyncMs: number;
  /** How often failed looks are tried again. */
  readonly everyMs: number;
}

const isDefinition = ({ group, plural }: Kind): boolean =>
  group === 'apiextensions.k8s.io' && plural === 'customresourcedefinitions';

export function garbageCollector(options: GarbageOptions): Periodic<KubeWorld> {
  const queue = new GarbageQueue();
  let nextResyncMs = 0;
  let kindsChanged = false;
  let followed: Content | undefined;
  let wake: () => void = () => undefined;

  function follow(world: KubeWorld): Content {
    if (followed !== undefined) return followed;
    const content = options.content(world);
    content.onChange(change => {
      const concerned = concernedBy(change, content);
      for (const found of concerned) queue.add(found);
      if (isDefinition(change.kind)) kindsChanged = true;
      if (concerned.length > 0 || kindsChanged) wake();
    });
    followed = content;
    return content;
  }

  async function resync(world: KubeWorld, content: Content): Promise<void> {
    if (world.clock.monotonic() < nextResyncMs) return;
    await content.refresh();
    nextResyncMs = world.clock.monotonic() + options.resyncMs;
    for (const found of content.all()) if (needsLook(found.object, content)) queue.add(found);
  }

  /** What a new kind has is garbage like all else: it is followed as soon as its definition is there. */
  async function followNewKinds(content: Content): Promise<void> {
    if (!kindsChanged) return;
    kindsChanged = false;
    await content.refresh();
  }

  return {
    name: 'garbage-collector',
    everyMs: options.everyMs,
    firstAfterMs: 0,
    wakes: (_world, wakeUp) => {
      wake = wakeUp;
    },
    async pass(world) {
      const content = follow(world);
      await resync(world, content);
      await followNewKinds(content);
      const due = queue.takeDue(world.clock.monotonic());
      for (let at = 0; at < due.length; at += AT_ONCE) {
        await Promise.all(due.slice(at, at + AT_ONCE).map(item => look(item, queue, { world, content })));
      }
    },
  };
}

/** One look; what cannot be settled is looked at again later. */
async function look(item: Item, queue: GarbageQueue, on: Collection): Promise<void> {
  const { world } = on;
  try {
    const looked = await collect(item.found, on);
    if (looked === 'incomplete') queue.retry(item, world.clock.monotonic());
  } catch (error) {
    queue.retry(item, world.clock.monotonic());
    if (isOutOfDate(error)) return;
    const object = `${item.found.kind.kind} ${keyText(keyOf(item.found.object))}`;
    world.log.warn('The garbage collector could not look at an object; it tries again', {
      object,
      error: messageOf(error),
    });
  }
}
