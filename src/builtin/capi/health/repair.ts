// Machines that are repaired instead of replaced: a provider's object for each unhealthy one, made from the check's template.

import type { Machine } from '../../../kinds/generated/machine.generated.ts';
import { conditionOf } from '../../../kube/conditions.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { isDeleting } from '../../../kube/object.ts';
import { deleteThis } from '../../overtaken.ts';
import { EXTERNALLY_REMEDIATED } from '../names.ts';
import { lookUp, type Sought } from '../provider/lookup.ts';
import type { ProviderReference } from '../provider/references.ts';
import { clonedReference, cloneFor } from '../set/clone.ts';

/** What has to be there before a repair can be asked for, in words; undefined: nothing, or it is under way. */
export async function wantingForRepair(
  machine: Machine,
  template: ProviderReference,
  world: KubeWorld,
): Promise<string | undefined> {
  if ((await repairOf(machine, template, world)).kind === 'found') return undefined;
  const sought = await sightOf(template, machine, world);
  if (sought.kind === 'found') return undefined;
  return sought.kind === 'absent'
    ? `${template.kind} ${template.name} to exist`
    : `a CRD for the kind ${template.kind}`;
}

/** Again: one that is there stands. */
export async function askForRepair(machine: Machine, template: ProviderReference, world: KubeWorld): Promise<void> {
  if ((await repairOf(machine, template, world)).kind !== 'found') await cloneFor(machine, template, world);
}

/** The machine is well: who repairs it is told so by the deletion of what asked for it. Never another machine's. */
export async function endRepair(machine: Machine, template: ProviderReference, world: KubeWorld): Promise<void> {
  if (conditionOf(machine, EXTERNALLY_REMEDIATED) === undefined) return;
  const sought = await repairOf(machine, template, world);
  if (sought.kind !== 'found' || isDeleting(sought.object)) return;
  const { ownerReferences = [] } = sought.object.metadata;
  const isIts = ownerReferences.some(({ uid }) => uid === machine.metadata.uid);
  if (isIts) await deleteThis(sought.as.kind, sought.object, world.api);
}

/** It bears the machine's name, so that there is one at a time. Read live: a second one would reboot a host twice. */
const repairOf = (machine: Machine, template: ProviderReference, world: KubeWorld): Promise<Sought> =>
  sightOf(clonedReference(template, machine.metadata.name), machine, world);

const sightOf = (reference: ProviderReference, { metadata }: Machine, world: KubeWorld): Promise<Sought> =>
  lookUp(reference, { namespace: metadata.namespace ?? '', world, watched: [] });
