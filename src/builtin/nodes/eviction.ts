// Eviction by taint: a Pod that does not tolerate a NoExecute taint of its Node, or no longer, is deleted.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { Node, type Taint } from '../../kube/core/node.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { isDeleting, keyOf } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { mergeConditions } from '../conditions.ts';
import { evictionTime } from './tolerance.ts';

const BY_NODE = 'builtin.nodeName';

const AGAIN_MS = 1000;

const TARGETED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
} as const;

export interface EvictionOptions {
  /** As for node lifecycle (safe-22). */
  readonly quietStartMs: number;
}

export function taintEviction(options: EvictionOptions): KeyController<KubeWorld> {
  /** When a taint without a time was first seen on a Node, by Node UID and taint. */
  const firstSeen = new Map<string, number>();
  let startedMs: number | undefined;

  function timeOf(pod: Pod, node: Node, nowMs: number): number | undefined {
    return evictionTime(node.spec?.taints ?? [], pod.spec.tolerations ?? [], taint => {
      const key = `${node.metadata.uid ?? ''} ${textOf(taint)}`;
      const seenMs = firstSeen.get(key) ?? nowMs;
      firstSeen.set(key, seenMs);
      return seenMs;
    });
  }

  function forget(node: Node): void {
    const current = new Set((node.spec?.taints ?? []).map(taint => `${node.metadata.uid ?? ''} ${textOf(taint)}`));
    for (const key of firstSeen.keys()) {
      if (key.startsWith(`${node.metadata.uid ?? ''} `) && !current.has(key)) firstSeen.delete(key);
    }
  }

  async function judge(pod: Pod, node: Node, world: KubeWorld): Promise<Outcome> {
    const quietMs = (startedMs ?? world.clock.monotonic()) + options.quietStartMs - world.clock.monotonic();
    forget(node);
    const atMs = timeOf(pod, node, world.clock.now());
    if (atMs === undefined) return done();
    const leftMs = Math.max(quietMs, atMs - world.clock.now());
    if (leftMs > 0) return done(undefined, leftMs);
    // A cache may lag behind a Node that has come back: the taint must still be there.
    const live = await world.api.find(Node, { name: node.metadata.name });
    const stillAtMs = live === undefined ? undefined : timeOf(pod, live, world.clock.now());
    if (stillAtMs === undefined || stillAtMs > world.clock.now()) return done(undefined, AGAIN_MS);
    return evict(pod, world);
  }

  return {
    name: 'taint-eviction',
    kind: Pod,
    wokenBy: [{ kind: Node, keysFor: (node, world) => podsOn(node.metadata.name, world).map(keyOf) }],
    reads: [Node],
    wakes: world => {
      startedMs = world.clock.monotonic();
    },
    async pass(key, _object, world) {
      const pod = world.caches.of(Pod).get(key);
      if (pod?.spec.nodeName === undefined || isDeleting(pod) || isTerminal(pod)) return done();
      const node = world.caches.of(Node).get({ name: pod.spec.nodeName });
      return node === undefined ? done() : judge(pod, node, world);
    },
  };
}

function podsOn(name: string, world: KubeWorld): readonly Pod[] {
  const pods = world.caches.of(Pod);
  pods.index(BY_NODE, pod => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
  return pods.by(BY_NODE, name);
}

async function evict(pod: Pod, world: KubeWorld): Promise<Outcome> {
  const { uid, resourceVersion } = pod.metadata;
  world.events.normal(
    pod,
    'TaintManagerEviction',
    'Marking for deletion: its Node has a taint that it does not tolerate',
  );
  try {
    const conditions = mergeConditions(pod.status?.conditions ?? [], [TARGETED], world.clock.now());
    if (conditions !== undefined) {
      const body = { metadata: { uid, resourceVersion }, status: { conditions } };
      await world.api.patch(Pod, keyOf(pod), body, { subresource: 'status' });
    }
    await world.api.delete(Pod, keyOf(pod), uid === undefined ? {} : { uid });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
    return done(undefined, AGAIN_MS);
  }
  return done();
}

const textOf = (taint: Taint): string => `${taint.key}=${taint.value ?? ''}:${taint.effect}`;
