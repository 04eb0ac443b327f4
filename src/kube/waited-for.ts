// Which keys wait for which object: whatever a wait names wakes who waits, however else a change is looked at (metal-a).

import type { Ref } from './api.ts';
import { type Kind, resourceName } from './kind.ts';
import { keyText, type ObjectKey } from './object.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Bounded by the keys whose last pass ended in a wait, and by what changes while the longest pass goes on. */
export class WaitedFor<N> {
  private readonly waiters = new Map<string, Set<string>>();
  private readonly awaited = new Map<string, string>();
  /** The last change of each object, the newest last: a pass that goes on may end in a wait for one of them. */
  private readonly recent = new Map<string, { readonly at: number; readonly news: N }>();
  private at = 0;

  /** A point between two changes. */
  get now(): number {
    return this.at;
  }

  /** The last pass of `key` ended in a wait on this object. Answers how it changed since that pass began. */
  add(key: string, on: Ref, since: number): N | undefined {
    const name = nameOf(on.kind, on);
    this.awaited.set(key, name);
    this.waiters.set(name, (this.waiters.get(name) ?? new Set()).add(key));
    const change = this.recent.get(name);
    return change === undefined || change.at <= since ? undefined : change.news;
  }

  /** The key does not wait any more, or looks again. */
  remove(key: string): void {
    const name = this.awaited.get(key);
    if (name === undefined) return;
    this.awaited.delete(key);
    const waiters = this.waiters.get(name);
    waiters?.delete(key);
    if (waiters?.size === 0) this.waiters.delete(name);
  }

  /** This object has changed. Answers who waits for it. */
  hear(kind: Kind, object: ObjectKey, news: N): Iterable<string> {
    const name = nameOf(kind, object);
    this.recent.delete(name);
    this.recent.set(name, { at: ++this.at, news });
    return this.waiters.get(name) ?? NOBODY;
  }

  /** No pass goes on that began before. */
  forgetUntil(since: number): void {
    for (const [name, { at }] of this.recent) {
      if (at > since) return;
      this.recent.delete(name);
    }
  }
}

const nameOf = (kind: Kind, { namespace, name }: ObjectKey): string =>
  `${resourceName(kind)} ${keyText(namespace === undefined ? { name } : { namespace, name })}`;
