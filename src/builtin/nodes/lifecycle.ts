// Node lifecycle: a Node that is silent for too long is Unknown and tainted, one that speaks again is not.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { Lease, NODE_LEASE_NAMESPACE, Node, type Taint } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { keyOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { mergeConditions } from '../conditions.ts';
import { type Grace, readyOf, silentConditions } from './health.ts';
import { oldLabels } from './old-labels.ts';
import { Register } from './register.ts';
import { taintsFor } from './taints.ts';
import { type Look, Watchman } from './watchman.ts';

export interface NodeLifecycleOptions extends Grace {
  /** Nothing is judged for so long after the start: leases may be old only because we were away (safe-22). */
  readonly quietStartMs: number;
  readonly recheckMs: number;
}

const BY_NODE = 'builtin.nodeName';

export function nodeLifecycle(options: NodeLifecycleOptions): KeyController<KubeWorld> {
  const watchman = new Watchman(options);
  const register = new Register();
  let startedMs: number | undefined;

  async function look(node: Node, world: KubeWorld): Promise<Look | undefined> {
    const quietMs = (startedMs ?? world.clock.monotonic()) + options.quietStartMs - world.clock.monotonic();
    const seen = await watchman.look(node, world);
    return seen === undefined ? undefined : { ...seen, leftMs: Math.max(quietMs, seen.leftMs) };
  }

  return {
    name: 'node-lifecycle',
    kind: Node,
    wokenBy: [
      {
        kind: Lease,
        selection: { namespace: NODE_LEASE_NAMESPACE },
        keysFor: lease => [{ name: lease.metadata.name }],
      },
    ],
    reads: [Pod],
    wakes: world => {
      startedMs = world.clock.monotonic();
    },
    async pass(key, _object, world) {
      const cached = world.caches.of(Node).get(key);
      const seen = cached === undefined ? undefined : await look(cached, world);
      if (seen === undefined) {
        watchman.forget(key.name);
        register.remove(key.name, world.events);
        return done();
      }
      const { node, leftMs } = seen;
      register.enter(node, world.events);
      const current = await labelled(leftMs > 0 ? node : await markSilent(node, world), world);
      await taint(current, world);
      if (isKnownUnready(current)) await markPodsNotReady(current, world);
      return nextLook(current, leftMs, options);
    },
  };
}

const isKnownUnready = (node: Node): boolean => {
  const status = readyOf(node)?.status;
  return status !== undefined && status !== 'True';
};

function nextLook(node: Node, leftMs: number, options: NodeLifecycleOptions): Outcome {
  const { name } = node.metadata;
  if (leftMs > 0) return done(undefined, Math.min(leftMs, options.recheckMs));
  return wait({ port: 'node agent', subject: name }, `the agent of Node ${name} to report`, options.recheckMs);
}

/** The Node as it is after its conditions say that nothing is known of it. */
async function markSilent(node: Node, world: KubeWorld): Promise<Node> {
  const conditions = mergeConditions(node.status?.conditions ?? [], silentConditions(node), world.clock.now());
  if (conditions === undefined) return node;
  world.events.normal(node, 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`);
  return patchLocked(node, { status: { conditions } }, world, 'status');
}

async function labelled(node: Node, world: KubeWorld): Promise<Node> {
  const labels = oldLabels(node.metadata.labels ?? {});
  return labels === undefined ? node : patchLocked(node, { metadata: { labels } }, world);
}

async function taint(node: Node, world: KubeWorld): Promise<void> {
  const taints: readonly Taint[] | undefined = taintsFor(node, world.clock.now());
  if (taints !== undefined) await patchLocked(node, { spec: { taints } }, world);
}

/** Lists are written whole, so what was read is the lock; a conflict ends the pass and it is tried again. */
function patchLocked(
  node: Node,
  body: Readonly<Record<string, unknown>> & { readonly metadata?: object },
  world: KubeWorld,
  subresource?: string,
): Promise<Node> {
  const { uid, resourceVersion } = node.metadata;
  const locked = { ...body, metadata: { ...body.metadata, uid, resourceVersion } };
  return world.api.patch(Node, keyOf(node), locked, subresource === undefined ? {} : { subresource });
}

/** Pods of a Node that is not ready serve nobody, whatever they last said of themselves. */
async function markPodsNotReady(node: Node, world: KubeWorld): Promise<void> {
  const pods = world.caches.of(Pod);
  pods.index(BY_NODE, pod => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
  for (const pod of pods.by(BY_NODE, node.metadata.name)) {
    const ready = pod.status?.conditions?.find(condition => condition.type === 'Ready');
    if (ready?.status !== 'True') continue;
    const conditions = mergeConditions(
      pod.status?.conditions ?? [],
      [{ type: 'Ready', status: 'False', reason: 'NodeNotReady' }],
      world.clock.now(),
    );
    const { uid, resourceVersion } = pod.metadata;
    const body = { metadata: { uid, resourceVersion }, status: { conditions } };
    await world.api.patch(Pod, keyOf(pod), body, { subresource: 'status' });
  }
}
