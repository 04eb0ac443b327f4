// Which host a machine has taken itself: written with the providerID, kept as an annotation so that a move keeps it.

import { type Clock, kubeTime, millisOf } from '../../base/clock.ts';
import { annotationOf } from '../../kube/object.ts';
import { conditionOf, isTrue, type MacMachine, providerIdOf } from './mac-machine.ts';
import { PROVISIONED } from './wire-conditions.ts';

/** Machines that upstream's controller adopted have none: their hosts are never started clean (safe-26). */
export const ADOPTED_HOST = 'pippin.dev/adopted-host';

export interface AdoptionRecord {
  readonly hostId: string;
  readonly time: string;
}

export function adoptionRecord(clock: Clock, hostId: string): Record<string, string> {
  const record: AdoptionRecord = { hostId, time: kubeTime(clock.now()) };
  return { [ADOPTED_HOST]: JSON.stringify(record) };
}

export function adoptionOf(machine: MacMachine): AdoptionRecord | undefined {
  const text = annotationOf(machine, ADOPTED_HOST);
  if (text === undefined) return undefined;
  try {
    const { hostId, time } = JSON.parse(text);
    return typeof hostId === 'string' && !Number.isNaN(millisOf(time)) ? { hostId, time } : undefined;
  } catch {
    // Whoever wrote it, it is not ours: the host counts as taken over, which is the careful reading.
    return undefined;
  }
}

/** The machine had a host, and a person took it away by clearing the providerID: that host is not ours to touch (safe-12). */
export function isDetached(machine: MacMachine): boolean {
  if (providerIdOf(machine) !== undefined) return false;
  if (conditionOf(machine, PROVISIONED)?.status === 'False') return false;
  return annotationOf(machine, ADOPTED_HOST) !== undefined || isTrue(machine, PROVISIONED);
}
