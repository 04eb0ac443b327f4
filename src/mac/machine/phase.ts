// The one word for how a machine does; the words are those that fleets already watch (safe-27).

import type { PassSummary } from '../../kube/controller.ts';
import { conditionOf, isTrue, type MacMachine, providerIdOf, statusOf } from './mac-machine.ts';
import { BOOTSTRAPPED, PROVISIONED } from './wire-conditions.ts';

export type Phase = 'Pending' | 'Adopting' | 'Bootstrapping' | 'Ready' | 'Deleting' | 'Failed';

/** A machine that gave up stays Failed whatever else goes well (mac-F58). */
export function phaseOf(machine: MacMachine, { deleting }: Pick<PassSummary, 'deleting'>): Phase {
  if (deleting) return 'Deleting';
  if (statusOf(machine).failureReason !== undefined) return 'Failed';
  if (isTrue(machine, BOOTSTRAPPED)) return 'Ready';
  if (providerIdOf(machine) !== undefined) return 'Bootstrapping';
  return conditionOf(machine, PROVISIONED)?.reason === 'NoAvailableHost' ? 'Adopting' : 'Pending';
}
