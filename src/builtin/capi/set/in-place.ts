// What changes on Machines that exist when their template changes: labels, annotations and time limits, nothing else.

import { Machine, type MachineSpec } from '../../../kinds/generated/machine.generated.ts';
import type { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { keyOf } from '../../../kube/object.ts';
import { unlessOvertaken } from '../../overtaken.ts';
import { minReadySecondsOf } from '../spelling.ts';
import { machineLabels } from './clone.ts';

/** Fields of a Machine that follow its template without a new Machine. */
export const IN_PLACE = [
  'deletion',
  'nodeDrainTimeout',
  'nodeVolumeDetachTimeout',
  'nodeDeletionTimeout',
  'readinessGates',
  'minReadySeconds',
] as const satisfies readonly (keyof MachineSpec)[];

export async function followTemplate(machine: Machine, set: MachineSet, world: KubeWorld): Promise<void> {
  const labels = machineLabels(set);
  const annotations = set.spec.template.metadata?.annotations ?? {};
  const spec = changedFields(machine, set);
  const isSame =
    holdsAll(machine.metadata.labels, labels) &&
    holdsAll(machine.metadata.annotations, annotations) &&
    Object.keys(spec).length === 0;
  if (isSame) return;
  const { uid } = machine.metadata;
  const body = { metadata: { uid, labels, annotations }, spec };
  await unlessOvertaken(() => world.api.patch(Machine, keyOf(machine), body));
}

/** As a merge patch: what the template no longer has is taken off. */
function changedFields(machine: Machine, set: MachineSet): Readonly<Record<string, unknown>> {
  const seconds = minReadySecondsOf(set.spec);
  const wanted = { ...set.spec.template.spec, ...(seconds > 0 ? { minReadySeconds: seconds } : {}) };
  const changed = IN_PLACE.filter(field => JSON.stringify(machine.spec[field]) !== JSON.stringify(wanted[field]));
  return Object.fromEntries(changed.map(field => [field, wanted[field] ?? null]));
}

function holdsAll(have: Readonly<Record<string, string>> = {}, wanted: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => have[key] === value);
}
