// What the status of a workload or a disruption budget must be: counts that are none below zero, and none of a part above the whole.

import type { JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { objectAt } from '../json.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

const REPLICAS = 'replicas';

/** The counts of one kind, in the order in which they are told. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'deployments.apps': ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  replicationcontrollers: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  'replicasets.apps': ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
};

const BUDGETS = 'poddisruptionbudgets.policy';
const OF_BUDGETS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

export function statusErrors(storageName: string, object: JsonObject): Errors {
  if (storageName === BUDGETS) {
    return OF_BUDGETS.flatMap(key => nonNegativeErrors('status', objectAt(object, 'status'), key));
  }
  const parts = PARTS[storageName];
  if (parts === undefined) return [];
  const status = objectAt(object, 'status');
  const negative = [REPLICAS, ...parts, 'observedGeneration'].flatMap(key => nonNegativeErrors('status', status, key));
  const above = parts.flatMap(key => partErrors(status, key, REPLICAS));
  return [...negative, ...above, ...partErrors(status, 'availableReplicas', 'readyReplicas')];
}

function partErrors(status: JsonObject, part: string, whole: string): Errors {
  const count = countAt(status, part);
  if (count <= countAt(status, whole)) return [];
  const name = whole === REPLICAS ? 'status.replicas' : whole;
  return [invalid(`status.${part}`, count, `cannot be greater than ${name}`)];
}
