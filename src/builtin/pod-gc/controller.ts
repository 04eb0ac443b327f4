// The Pod garbage collector: Pods of Nodes that are gone, Pods that never got a Node, and finished Pods past a number.

import { messageOf } from '../../base/errors.ts';
import type { KubeWorld, Periodic } from '../../kube/controller.ts';
import { isReady, Node } from '../../kube/core/node.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { isConflict } from '../../kube/errors.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import { type Disruption, endPod, isEnded, NODE_GONE, OUT_OF_SERVICE } from './ending.ts';
import { type Quarantine, suspect } from './orphans.ts';

const OUT_OF_SERVICE_TAINT = 'node.kubernetes.io/out-of-service';

export interface PodGcOptions {
  /** 20 s in Kubernetes. */
  readonly everyMs: number;
  /** How long a Node must have been missing before it is looked up live; 40 s in Kubernetes. */
  readonly quarantineMs: number;
  /** How many finished Pods may stay; 12500 in Kubernetes, 0 keeps all. */
  readonly terminatedThreshold: number;
}

interface End {
  readonly pod: Pod;
  readonly disruption?: Disruption;
}

export function podGarbageCollector(options: PodGcOptions): Periodic<KubeWorld> {
  let quarantine: Quarantine = new Map();

  async function podsOfMissingNodes(pods: readonly Pod[], world: KubeWorld): Promise<readonly End[]> {
    const boundTo = pods.map(pod => pod.spec.nodeName ?? '');
    const existing = new Set(
      world.caches
        .of(Node)
        .list()
        .map(node => node.metadata.name),
    );
    const time = { nowMs: world.clock.monotonic(), quarantineMs: options.quarantineMs };
    const suspicion = suspect(quarantine, { boundTo, existing }, time);
    quarantine = suspicion.quarantine;
    const gone = new Set<string>();
    for (const name of suspicion.overdue) if (await isGone(name, world)) gone.add(name);
    return pods.filter(pod => gone.has(pod.spec.nodeName ?? '')).map(pod => ({ pod, disruption: NODE_GONE }));
  }

  return {
    name: 'pod-garbage-collector',
    everyMs: options.everyMs,
    firstAfterMs: options.everyMs,
    reads: [Pod, Node],
    async pass(world) {
      const pods = world.caches.of(Pod).list();
      const ends = [
        ...(await podsOfMissingNodes(pods, world)),
        ...unscheduledTerminating(pods),
        ...podsOutOfService(pods, world),
        ...finishedPastThreshold(pods, options.terminatedThreshold),
      ];
      for (const { pod, disruption } of ends.filter(end => !isEnded(end.pod))) await endOne(pod, disruption, world);
    },
  };
}

/** Only a live "not found" that names this Node counts; an error says nothing (safe-1), and it is asked again next time. */
async function isGone(name: string, world: KubeWorld): Promise<boolean> {
  try {
    return (await world.api.find(Node, { name })) === undefined;
  } catch (error) {
    world.log.warn('Pod GC could not look up a Node; its Pods stay', { node: name, error: messageOf(error) });
    return false;
  }
}

function unscheduledTerminating(pods: readonly Pod[]): readonly End[] {
  return pods
    .filter(pod => pod.metadata.deletionTimestamp !== undefined && (pod.spec.nodeName ?? '') === '')
    .map(pod => ({ pod }));
}

/** A person's word, by a taint, that the Node is off: Pods that are being deleted there need not wait for its agent. */
function podsOutOfService(pods: readonly Pod[], world: KubeWorld): readonly End[] {
  const nodes = world.caches
    .of(Node)
    .list()
    .filter(node => !isReady(node) && (node.spec?.taints?.some(taint => taint.key === OUT_OF_SERVICE_TAINT) ?? false));
  const names = new Set(nodes.map(node => node.metadata.name));
  return pods
    .filter(pod => pod.metadata.deletionTimestamp !== undefined && names.has(pod.spec.nodeName ?? ''))
    .map(pod => ({ pod, disruption: OUT_OF_SERVICE }));
}

/** The oldest finished Pods beyond the threshold. */
function finishedPastThreshold(pods: readonly Pod[], threshold: number): readonly End[] {
  if (threshold <= 0) return [];
  const finished = pods.filter(pod => isTerminal(pod) && pod.metadata.deletionTimestamp === undefined);
  const ageOf = (pod: Pod): string => `${pod.metadata.creationTimestamp ?? ''} ${keyText(keyOf(pod))}`;
  return finished
    .sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
    .slice(0, Math.max(0, finished.length - threshold))
    .map(pod => ({ pod }));
}

/** One Pod's failure hides no other's end; all are looked at again in the next pass. */
async function endOne(pod: Pod, disruption: Disruption | undefined, world: KubeWorld): Promise<void> {
  try {
    await endPod(pod, disruption, world);
  } catch (error) {
    if (isConflict(error)) return;
    world.log.warn('Pod GC could not end a Pod; it tries again', {
      pod: keyText(keyOf(pod)),
      error: messageOf(error),
    });
  }
}
