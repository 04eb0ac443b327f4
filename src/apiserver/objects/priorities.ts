// PriorityClasses: those of the system stay.

import { forbidden } from '../answer/status.ts';
import { subjectOf } from '../core.ts';
import type { Strategy } from './strategy.ts';

const OF_THE_SYSTEM: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

export const priorities: Strategy = {
  refuseDelete: call => {
    if (!OF_THE_SYSTEM.has(call.path.name)) return;
    throw forbidden(subjectOf(call), 'this is a system priority class and cannot be deleted');
  },
};
