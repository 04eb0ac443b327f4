// Pods: how they begin, and how many seconds they get to end.

import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt } from '../rules/json.ts';
import { qosClassOf } from './pod-quality.ts';
import type { Strategy } from './strategy.ts';

const DEFAULT_GRACE_SECONDS = 30;

export const pods: Strategy = {
  prepareCreate: object => ({
    ...object,
    status: { phase: 'Pending', qosClass: qosClassOf(objectAt(object, 'spec')) },
  }),
  graceSeconds: (object, asked) => {
    if (!mayStillRun(object)) return 0;
    const own = objectAt(object, 'spec').terminationGracePeriodSeconds;
    const seconds = asked ?? (typeof own === 'number' ? own : DEFAULT_GRACE_SECONDS);
    return seconds < 0 ? 1 : seconds;
  },
};

/** A Pod that is on no Node, or has ended, has nothing to be graceful about. */
function mayStillRun(object: JsonObject): boolean {
  const phase = stringAt(objectAt(object, 'status'), 'phase');
  return stringAt(objectAt(object, 'spec'), 'nodeName') !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}
