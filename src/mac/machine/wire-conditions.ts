// The two conditions that fleets already watch, with their reasons (safe-27); each step's own stands beside them.

import type { Condition } from '../../kube/object.ts';
import { type Outcome, type Wait, wait } from '../../kube/outcome.ts';

type WireType = 'Provisioned' | 'Bootstrapped';
type WrittenCondition = Omit<Condition, 'lastTransitionTime'>;

export const PROVISIONED = 'Provisioned';
export const BOOTSTRAPPED = 'Bootstrapped';

export const wireTrue = (type: WireType): WrittenCondition => ({ type, status: 'True' });

export const wireFalse = (type: WireType, reason: string, message: string): WrittenCondition => ({
  type,
  status: 'False',
  severity: 'Warning',
  reason,
  message,
});

/** A wait that also says so under the condition that fleets watch. */
export function waitAs(type: WireType, how: Wait): Outcome {
  const condition = wireFalse(type, how.reason ?? 'Waiting', how.what);
  const conditions = [...(how.change?.conditions ?? []), condition];
  return wait(how.on, how.what, how.recheckMs, {
    ...(how.reason === undefined ? {} : { reason: how.reason }),
    change: { ...how.change, conditions },
  });
}
