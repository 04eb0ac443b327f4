// Who is silent and since when: by the caches, and before anybody is called silent by a live look (builtin-12).

import type { KubeWorld } from '../../kube/controller.ts';
import { Lease, NODE_LEASE_NAMESPACE, Node } from '../../kube/core/node.ts';
import { keyOf } from '../../kube/object.ts';
import { type Grace, graceOf, type Moment, type Sighted, sight, signOfLife, silenceMs } from './health.ts';

/** The last new sign in the caches and in live reads: a cache that lags must neither hide a sign nor make one. */
interface Signs {
  readonly cached: Sighted;
  readonly live?: Sighted;
}

/** A Node as it was last seen, and how long it may still be silent; 0 when it is. */
export interface Look {
  readonly node: Node;
  readonly leftMs: number;
}

export class Watchman {
  private readonly grace: Grace;
  private readonly signs = new Map<string, Signs>();

  constructor(grace: Grace) {
    this.grace = grace;
  }

  forget(name: string): void {
    this.signs.delete(name);
  }

  /** Undefined when the live look shows that the Node is gone. An API that does not answer throws: nothing is judged. */
  async look(node: Node, world: KubeWorld): Promise<Look | undefined> {
    const leftMs = this.byCache(node, world);
    if (leftMs > 0) return { node, leftMs };
    const live = await world.api.find(Node, keyOf(node));
    if (live === undefined) return undefined;
    const lease = await world.api.find(Lease, leaseKey(node));
    return { node: live, leftMs: this.byLiveRead(live, lease, world) };
  }

  private byCache(node: Node, world: KubeWorld): number {
    const { name } = node.metadata;
    const lease = world.caches.of(Lease, { namespace: NODE_LEASE_NAMESPACE }).get(leaseKey(node));
    const before = this.signs.get(name);
    const cached = sight(before?.cached, signOfLife(node, lease), momentOf(world));
    this.signs.set(name, { ...before, cached });
    return this.left(node, world);
  }

  private byLiveRead(node: Node, lease: Lease | undefined, world: KubeWorld): number {
    const { name } = node.metadata;
    const before = this.signs.get(name);
    const sign = signOfLife(node, lease);
    if (before !== undefined) {
      const live = sign === before.cached.sign ? before.cached : sight(before.live, sign, momentOf(world));
      this.signs.set(name, { ...before, live });
    }
    return this.left(node, world);
  }

  private left(node: Node, world: KubeWorld): number {
    const { cached, live } = this.signs.get(node.metadata.name) ?? {};
    const now = momentOf(world);
    const silences = [cached, live].flatMap(sighted => (sighted === undefined ? [] : [silenceMs(sighted, now)]));
    return Math.max(0, graceOf(node, this.grace) - Math.min(...silences));
  }
}

const leaseKey = (node: Node) => ({ namespace: NODE_LEASE_NAMESPACE, name: node.metadata.name });

const momentOf = ({ clock }: KubeWorld): Moment => ({ wallMs: clock.now(), monotonicMs: clock.monotonic() });
