// The scheduler: gives each Pod that has no Node the best one that can take it, or says why none can.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { isDeleting, type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { mergeConditions } from '../conditions.ts';
import { type Candidate, refusalsOf, unschedulableMessage } from './filter.ts';
import { heldBy } from './resources.ts';
import { bestOf } from './score.ts';

const BY_NODE = 'builtin.nodeName';
const PENDING = 'builtin.unscheduled';
const NAME = 'default-scheduler';

export interface SchedulerOptions {
  readonly recheckMs: number;
}

export function scheduler(options: SchedulerOptions): KeyController<KubeWorld> {
  /** Pods that were bound but whose cache entry does not show it yet: they hold their place already. */
  const onTheWay = new Map<string, { readonly pod: Pod; readonly nodeName: string }>();

  function settle(world: KubeWorld): void {
    for (const [uid, { pod }] of onTheWay) {
      const cached = world.caches.of(Pod).get(keyOf(pod));
      if (cached?.metadata.uid !== uid || cached.spec.nodeName !== undefined) onTheWay.delete(uid);
    }
  }

  function candidates(world: KubeWorld): readonly Candidate[] {
    settle(world);
    const pods = indexed(world);
    return world.caches
      .of(Node)
      .list()
      .filter(node => !isDeleting(node))
      .map(node => {
        const coming = [...onTheWay.values()].filter(entry => entry.nodeName === node.metadata.name);
        return { node, held: heldBy([...pods.by(BY_NODE, node.metadata.name), ...coming.map(entry => entry.pod)]) };
      });
  }

  async function place(pod: Pod, world: KubeWorld): Promise<Outcome> {
    const all = candidates(world);
    const refusals = all.map(candidate => refusalsOf(pod, candidate));
    const best = bestOf(
      pod,
      all.filter((_candidate, index) => refusals[index]?.length === 0),
    );
    if (best === undefined) return refuse(pod, unschedulableMessage(refusals), { world, recheckMs: options.recheckMs });
    const nodeName = best.node.metadata.name;
    if (await bind(pod, nodeName, world)) onTheWay.set(pod.metadata.uid ?? '', { pod, nodeName });
    return done();
  }

  return {
    name: 'scheduler',
    kind: Pod,
    // One at a time: two at once could both take the last place.
    workers: 1,
    wokenBy: [
      { kind: Node, keysFor: (_node, world) => pendingKeys(world) },
      { kind: Pod, keysFor: (object, world) => (freesAPlace(object, world) ? pendingKeys(world) : []) },
    ],
    reads: [Node],
    async pass(key, _object, world) {
      const pod = indexed(world).get(key);
      if (pod === undefined || !isOurs(pod) || onTheWay.has(pod.metadata.uid ?? '')) return done();
      return place(pod, world);
    },
  };
}

function indexed(world: KubeWorld) {
  const pods = world.caches.of(Pod);
  pods.index(BY_NODE, pod => (isBound(pod) ? [pod.spec.nodeName ?? ''] : []));
  pods.index(PENDING, pod => (isOurs(pod) ? [NAME] : []));
  return pods;
}

const pendingKeys = (world: KubeWorld): readonly ObjectKey[] => indexed(world).by(PENDING, NAME).map(keyOf);

const isBound = (pod: Pod): boolean => (pod.spec.nodeName ?? '') !== '';

interface Gated {
  readonly schedulingGates?: readonly unknown[];
}

/** A Pod that waits for this scheduler: no Node yet, not ending, no gate in front of it. */
function isOurs(pod: Pod): boolean {
  const { schedulingGates = [] }: Gated = pod.spec as Gated;
  const named = pod.spec.schedulerName ?? NAME;
  return named === NAME && schedulingGates.length === 0 && !isBound(pod) && !isDeleting(pod) && !isTerminal(pod);
}

/** A bound Pod that ended or is gone. */
function freesAPlace(object: KubeObject, world: KubeWorld): boolean {
  const current = world.caches.of(Pod).get(keyOf(object));
  if (current === undefined || current.metadata.uid !== object.metadata.uid) return true;
  return isBound(current) && (isTerminal(current) || isDeleting(current));
}

/** Whether the binding was made; somebody else's is left alone. */
async function bind(pod: Pod, nodeName: string, world: KubeWorld): Promise<boolean> {
  const { name, namespace, uid } = pod.metadata;
  const target = { apiVersion: 'v1', kind: 'Node', name: nodeName };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target };
  try {
    await world.api.createSub(Pod, keyOf(pod), 'binding', binding);
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
  world.events.normal(pod, 'Scheduled', `Successfully assigned ${namespace ?? ''}/${name} to ${nodeName}`);
  return true;
}

async function refuse(
  pod: Pod,
  message: string,
  on: { readonly world: KubeWorld; readonly recheckMs: number },
): Promise<Outcome> {
  const { world, recheckMs } = on;
  const wanted = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
  const conditions = mergeConditions(pod.status?.conditions ?? [], [wanted], world.clock.now());
  if (conditions !== undefined) {
    world.events.warning(pod, 'FailedScheduling', message);
    const { uid, resourceVersion } = pod.metadata;
    const body = { metadata: { uid, resourceVersion }, status: { conditions } };
    await world.api.patch(Pod, keyOf(pod), body, { subresource: 'status' });
  }
  return wait({ port: 'scheduler', subject: pod.metadata.name }, `a Node that can take it: ${message}`, recheckMs);
}
