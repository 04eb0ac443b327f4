// Whether a machine is ready, as upstream sums it up: its host, its claim and its data.

import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld, Step } from '../../kube/controller.ts';
import type { Condition } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';
import { ASSOCIATED } from './association.ts';
import { DATA_READY } from './data-readiness.ts';
import { CLAIMED } from './meta-data.ts';

const READY = 'Ready';
const SUMMED = [ASSOCIATED, CLAIMED, DATA_READY] as const;

export const readiness: Step<Metal3Machine, KubeWorld> = {
  condition: READY,
  run: async machine => done({ conditions: [verdictOf(machine)] }),
};

function verdictOf(machine: Metal3Machine): Omit<Condition, 'lastTransitionTime'> {
  const parts = SUMMED.flatMap(type => conditionOf(machine, type) ?? []);
  const missing = parts.filter(({ status }) => status === 'False');
  const unknown = parts.filter(({ status }) => status === 'Unknown');
  if (missing.length > 0) return verdict('False', 'NotReady', missing);
  return unknown.length > 0 ? verdict('Unknown', 'ReadyUnknown', unknown) : verdict('True', READY, []);
}

function verdict(
  status: Condition['status'],
  reason: string,
  why: readonly Condition[],
): Omit<Condition, 'lastTransitionTime'> {
  const message = why.map(({ type, message: words = '' }) => `${type}: ${words}`).join('; ');
  return { type: READY, status, reason, message };
}

/** How a machine that is taken apart says it: by its claim, as upstream does, and in the sum. */
export const leaving = [
  { type: CLAIMED, status: 'False', reason: 'Deleting', message: '' },
  { type: READY, status: 'False', reason: 'NotReady', message: 'The machine is being deleted' },
] as const;
