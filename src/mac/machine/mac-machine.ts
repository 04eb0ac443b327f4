// The machine kind under a short name, and what is read off a machine in one place: its host, names and sizes.

import {
  ScalewayAppleSiliconMachine,
  type ScalewayAppleSiliconMachineStatus,
} from '../../kinds/generated/scaleway-apple-silicon-machine.generated.ts';
import { parseAppleSiliconProviderId } from '../../kinds/wire.ts';
import type { ServerRef } from '../cloud.ts';
import type { MacSettings } from '../world.ts';

export type MacMachine = ScalewayAppleSiliconMachine;
export const MacMachine = ScalewayAppleSiliconMachine;

/** One name for all: the server's claim name, the Node's, and the host's (safe-9). */
export const claimName = (machine: MacMachine): string => machine.metadata.name;
export const nodeName = (machine: MacMachine): string => machine.metadata.name;

export const namespaceOf = (machine: MacMachine): string => machine.metadata.namespace ?? '';

/** `namespace/name`, for people. */
export const fullName = (machine: MacMachine): string => `${namespaceOf(machine)}/${machine.metadata.name}`;

/** The Secret with the host's password and host key. */
export const bootstrapSecretName = (machine: MacMachine): string => `${machine.metadata.name}-bootstrap`;

/** Machines of a fleet share one SSH key. */
export function fleetOf(machine: MacMachine): string {
  const named = machine.spec?.fleetName ?? '';
  return named === '' ? `${namespaceOf(machine)}-${machine.metadata.name}` : named;
}

export const zoneOf = (machine: MacMachine): string => machine.spec?.zone ?? 'fr-par-1';
export const typeOf = (machine: MacMachine): string => machine.spec?.type ?? 'M2-L';
export const osOf = (machine: MacMachine): string => machine.spec?.os ?? 'Tahoe';

/** Empty: neither adopted nor released (mac-F21). */
export function poolPrefixOf(machine: MacMachine, settings: MacSettings): string {
  const own = machine.spec?.adoptPoolPrefix ?? '';
  return own === '' ? settings.poolPrefix : own;
}

export const providerIdOf = (machine: MacMachine): string | undefined => machine.spec?.providerID;

/** The server behind a providerID; undefined for an id of another cloud. */
export function serverOf(providerId: string | undefined): ServerRef | undefined {
  const parsed = parseAppleSiliconProviderId(providerId);
  return parsed === undefined ? undefined : { zone: parsed.zone, id: parsed.serverId };
}

export const statusOf = (machine: MacMachine): ScalewayAppleSiliconMachineStatus => machine.status ?? {};

export function conditionOf(machine: MacMachine, type: string) {
  return machine.status?.conditions?.find(condition => condition.type === type);
}

export const isTrue = (machine: MacMachine, type: string): boolean => conditionOf(machine, type)?.status === 'True';
