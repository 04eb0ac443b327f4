// Whether what a host runs is what a machine had put on it, whoever its consumerRef names by now: that can be edited off.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf } from '../../kube/object.ts';
import { machinesRecording } from '../machine/machines.ts';
import { machinesOfData } from './consumer.ts';
import { hasSystem, stateOf } from './state.ts';

/**
 * Asked of the host that the machine has on record. What was rendered for it alone proves it; an image and user data may
 * be those of many. One that is deprovisioned, or runs nothing of which anybody tells is taking apart what it ran for the
 * machine.
 */
export function runsFor(machine: Metal3Machine, host: BareMetalHost, world: Pick<KubeWorld, 'caches'>): boolean {
  if (bearsDataOf(machine, host) || stateOf(host) === 'deprovisioning') return true;
  const others = machinesRecording(keyOf(host), world).filter(({ metadata }) => metadata.uid !== machine.metadata.uid);
  return others.length === 0 && (!hasSystem(host) || isSystemOf(machine, host));
}

function bearsDataOf({ metadata, spec, status }: Metal3Machine, host: BareMetalHost): boolean {
  if (machinesOfData(host).some(({ name }) => name === metadata.name)) return true;
  return (['metaData', 'networkData'] as const).some(field => {
    const rendered = spec?.[field] === undefined ? status?.[field]?.name : undefined;
    return rendered !== undefined && rendered === host.spec?.[field]?.name;
  });
}

function isSystemOf({ spec, status }: Metal3Machine, host: BareMetalHost): boolean {
  const { image, customDeploy, userData } = host.spec ?? {};
  return (
    (image?.url ?? '') === (spec?.image?.url ?? '') &&
    customDeploy?.method === spec?.customDeploy?.method &&
    userData?.name === (status?.userData ?? spec?.userData)?.name
  );
}

/** Told to run nothing, and not yet rid of what it ran: what is written to it now would hide that. */
export const isBeingEmptied = (host: BareMetalHost): boolean =>
  !hasSystem(host) && ['provisioned', 'deprovisioning'].includes(stateOf(host));
