// Whether a Pod's disruption budget lets it go now: if so, the budget is charged before the Pod is deleted.

import { kubeTime } from '../../base/clock.ts';
import { forbidden, objectTooLarge, tooManyRequests, unexpected } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { Json, JsonObject } from '../parts.ts';
import { selectsLabels } from '../request/label-selector.ts';
import { isObject, listAt, objectAt, stringAt } from '../rules/json.ts';
import type { Row } from '../store.ts';

const BUDGETS = 'poddisruptionbudgets.policy';
const RETRY_SECONDS = 10;
const MOST_UNCONFIRMED = 2000;

/** Throws when the budget does not allow it; a dry run charges nothing. */
export async function chargeBudget(
  call: Call,
  pod: JsonObject,
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  for (;;) {
    const row = budgetOf(call, pod);
    if (row === undefined || isUnhealthyAnyway(row.object, pod)) return;
    const next = charged(call, row);
    if (dryRun) return;
    const { namespace } = call.path;
    const written = await call.core.store.write({
      storage: BUDGETS,
      namespace,
      name: row.name,
      expected: row.revision,
      object: next,
    });
    if (written.kind === 'tooLarge') throw objectTooLarge();
    if (written.kind === 'written') return;
  }
}

function budgetOf(call: Call, pod: JsonObject): Row | undefined {
  const labels = objectAt(objectAt(pod, 'metadata'), 'labels');
  const range = call.core.store.range(BUDGETS, { namespace: call.path.namespace });
  const matching = (range?.rows ?? []).filter(({ object }) => {
    const { selector } = objectAt(object, 'spec');
    return isObject(selector) && selectsLabels(selector, labels);
  });
  if (matching.length > 1) {
    throw unexpected(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  return matching[0];
}

/** A Pod that is not ready is nothing that the budget counts, as long as the others are enough. */
function isUnhealthyAnyway(budget: JsonObject, pod: JsonObject): boolean {
  const conditions = listAt(objectAt(pod, 'status'), 'conditions').filter(isObject);
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return false;
  if (objectAt(budget, 'spec').unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy, desiredHealthy } = numbersOf(budget);
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

interface Numbers {
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
}

function numbersOf(budget: JsonObject): Numbers {
  const status = objectAt(budget, 'status');
  const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
  return {
    disruptionsAllowed: number(status.disruptionsAllowed),
    currentHealthy: number(status.currentHealthy),
    desiredHealthy: number(status.desiredHealthy),
  };
}

function charged(call: Call, { object: budget, name }: Row): JsonObject {
  const status = objectAt(budget, 'status');
  const numbers = numbersOf(budget);
  const observed = typeof status.observedGeneration === 'number' ? status.observedGeneration : 0;
  if (observed < Number(objectAt(budget, 'metadata').generation ?? 0)) {
    throw refusedBy(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  const subject = { group: 'policy', resource: 'poddisruptionbudgets', name };
  const unconfirmed = objectAt(status, 'disruptedPods');
  if (Object.keys(unconfirmed).length > MOST_UNCONFIRMED) {
    throw forbidden(subject, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (numbers.disruptionsAllowed === 0) {
    const { desiredHealthy, currentHealthy } = numbers;
    throw refusedBy(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    );
  }
  const disruptionsAllowed = numbers.disruptionsAllowed - 1;
  const now = kubeTime(call.core.clock.now());
  const next = {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      ...(disruptionsAllowed > 0 ? {} : { conditions: exhausted(budget, now) }),
      disruptedPods: { ...unconfirmed, [call.path.name]: now },
    },
  };
  return written(call, budget, next, now);
}

function exhausted(budget: JsonObject, now: string): Json[] {
  const conditions = listAt(objectAt(budget, 'status'), 'conditions');
  return conditions.map(condition =>
    isObject(condition) && stringAt(condition, 'type') === 'DisruptionAllowed'
      ? { ...condition, status: 'False', reason: 'InsufficientPods', lastTransitionTime: now }
      : condition,
  );
}

/** The server writes this itself, and under its own name. */
function written({ core }: Call, before: JsonObject, after: JsonObject, time: string): JsonObject {
  const resource = core.registry.byStorage(BUDGETS);
  const track = core.parts.fieldOwnership?.track;
  if (resource === undefined || track === undefined) return after;
  return track({ resource, before, after, manager: 'kube-apiserver', subresource: 'status', time });
}

const refusedBy = (message: string, retrySeconds?: number): ReturnType<typeof tooManyRequests> =>
  tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retrySeconds, [
    { reason: 'DisruptionBudget', message },
  ]);
