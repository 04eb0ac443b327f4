// What a remediation owes is given back before it lets go: the host its power, the Node what was taken from it.

import { millisOf } from '../../base/clock.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import type { Wait } from '../../kube/outcome.ts';
import type { MetalWorld } from '../world.ts';
import { letOn } from './power.ts';
import { timeoutMs } from './remediations.ts';
import { owesNode, unfence } from './unfence.ts';

/**
 * A wait, or undefined: the finalizer may go. Of a Machine that is gone, or is going with its Node, no Node is owed
 * (metal-7.20, metal-S26). A Node that does not come back, or a dead workload cluster, is waited for as long as one try
 * may take, and never longer (metal-B6).
 */
export async function settle(
  remediation: Metal3Remediation,
  machine: Machine | undefined,
  world: MetalWorld,
): Promise<Wait | undefined> {
  await letOn(remediation.metadata.uid ?? '', world);
  if (machine === undefined || !owesNode(remediation)) return undefined;
  const held = await unfence(remediation, machine, world);
  if (held === undefined || patienceLeftMs(remediation, world) > 0) return held;
  const message = `Nobody waits any longer for ${held.what}: look whether its Node bears the taint out-of-service`;
  world.events.warning(remediation, 'NodeNotRestored', message);
  return undefined;
}

function patienceLeftMs(remediation: Metal3Remediation, { clock }: MetalWorld): number {
  const sinceMs = millisOf(remediation.metadata.deletionTimestamp ?? remediation.status?.lastRemediated);
  return Number.isNaN(sinceMs) ? 0 : sinceMs + timeoutMs(remediation) - clock.now();
}
