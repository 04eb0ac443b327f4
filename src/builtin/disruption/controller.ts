// Keeps the status of PodDisruptionBudgets: evictions are granted by what it says.

import { isDeepStrictEqual } from 'node:util';
import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import type { Kind } from '../../kube/kind.ts';
import { isDeleting, type KubeObject, keyOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { mergeConditions } from '../conditions.ts';
import { unlessOvertaken } from '../overtaken.ts';
import { selects } from '../selectors.ts';
import { Budget, type BudgetStatus, goals } from './budget.ts';
import { Deployment, ReplicaSet, ReplicationController, StatefulSet, wantedOf } from './owners.ts';

/** So long an eviction that was granted may take to be seen; then the Pod counts as it is. */
const GRANTED_MS = 120_000;

export function disruption({ recheckMs }: { readonly recheckMs: number }): KeyController<KubeWorld> {
  return {
    name: 'disruption',
    kind: Budget,
    reads: [Pod, ReplicaSet, Deployment, StatefulSet, ReplicationController],
    wokenBy: [Pod, ReplicaSet, StatefulSet].map(kind => ({ kind, keysFor: besides(kind) })),
    async pass(_key, object, world) {
      if (object === undefined || isDeleting(object)) return done();
      return counted(object as Budget, world, recheckMs);
    },
  };
}

/** A Pod wakes the budgets that select it, an owner all of its namespace. */
function besides(kind: Kind): (object: KubeObject, world: KubeWorld) => ReturnType<typeof keyOf>[] {
  return (object, world) =>
    world.caches
      .of(Budget)
      .list()
      .filter(budget => budget.metadata.namespace === object.metadata.namespace)
      .filter(budget => kind !== Pod || selectsPod(budget, object))
      .map(keyOf);
}

function selectsPod({ spec }: Budget, pod: KubeObject): boolean {
  const selector = spec?.selector;
  return selector !== undefined && selects(selector, pod.metadata.labels ?? {});
}

async function counted(budget: Budget, world: KubeWorld, recheckMs: number): Promise<Outcome> {
  const pods = world.caches
    .of(Pod)
    .list()
    .filter(pod => pod.metadata.namespace === budget.metadata.namespace && selectsPod(budget, pod));
  if (pods.length === 0) world.events.normal(budget, 'NoPods', 'No matching pods found', 'controllermanager');
  const granted = stillGranted(budget, pods, world.clock.now());
  const healthy = pods.filter(pod => isHealthy(pod) && granted[pod.metadata.name] === undefined).length;
  const count = { selected: pods.length, healthy, wanted: wantedOf(pods, world.caches) };
  const next = statusOf(budget, count, granted, world.clock.now());
  if (!isDeepStrictEqual(next, budget.status)) {
    await unlessOvertaken(() => world.api.update(Budget, { ...budget, status: next }, 'status'));
  }
  return Object.keys(granted).length === 0
    ? done()
    : wait({ port: 'evictions', subject: budget.metadata.name }, 'Pods that were evicted to go', recheckMs);
}

const isHealthy = (pod: Pod): boolean =>
  !isDeleting(pod) && (pod.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

/** Granted evictions of Pods that are still there, and not for too long. */
function stillGranted({ status }: Budget, pods: readonly Pod[], nowMs: number): Record<string, string> {
  const there = new Set(pods.filter(pod => !isDeleting(pod) && !isTerminal(pod)).map(pod => pod.metadata.name));
  const entries = Object.entries(status?.disruptedPods ?? {});
  return Object.fromEntries(entries.filter(([name, time]) => there.has(name) && Date.parse(time) + GRANTED_MS > nowMs));
}

function statusOf(
  budget: Budget,
  count: Parameters<typeof goals>[1],
  granted: Readonly<Record<string, string>>,
  nowMs: number,
): BudgetStatus {
  const { desired, expected } = goals(budget.spec ?? {}, count);
  const surplus = expected <= 0 ? 0 : Math.max(0, count.healthy - desired);
  const observedGeneration = budget.metadata.generation;
  const condition = {
    type: 'DisruptionAllowed',
    status: surplus > 0 ? ('True' as const) : ('False' as const),
    reason: surplus > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  const before = budget.status?.conditions ?? [];
  return {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(Object.keys(granted).length === 0 ? {} : { disruptedPods: granted }),
    disruptionsAllowed: surplus,
    currentHealthy: count.healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: mergeConditions(before, [condition], nowMs) ?? before,
  };
}
