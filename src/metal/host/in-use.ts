// Whether any host still runs what a machine put on it: until none does, nothing that it uses may be another's (metal-h1).

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { isBound } from '../machine/bound.ts';
import { cachedHost, hostsReservedFor, hostsWithDataOf, recordedHost } from './hosts.ts';
import { runsFor } from './installed.ts';
import { hasSystem, unfinishedRelease } from './state.ts';

/** Without a UID: any machine that ever had the name. */
export interface MachineRef extends ObjectKey {
  readonly uid?: string;
}

export interface InUse {
  readonly host: BareMetalHost;
  /** What has to come to pass: `BareMetalHost h1 to be emptied`. */
  readonly left: string;
}

/** What a host has yet to do before nothing of what was put on it runs any more; undefined when nothing is left. */
export const stillRuns = (host: BareMetalHost): string | undefined =>
  hasSystem(host) ? `BareMetalHost ${host.metadata.name} to be emptied` : unfinishedRelease(host);

/**
 * A host that is off, gone or another's runs nothing of this machine. Another's is not what a consumerRef alone says: it
 * may be edited while the host runs. It has no UID either, so one that a later machine of the same name has on record is
 * that machine's.
 */
export function hostInUse(machine: MachineRef, world: Pick<KubeWorld, 'caches'>): InUse | undefined {
  const present = world.caches.of(Metal3Machine).get(machine);
  const isLater = present !== undefined && present.metadata.uid !== machine.uid;
  const theirs = isLater ? recordedHost(present) : undefined;
  for (const host of hostsOf(machine, isLater ? undefined : present, world)) {
    if (theirs !== undefined && keyText(theirs) === keyText(keyOf(host))) continue;
    const left = stillRuns(host);
    if (left !== undefined) return { host, left };
  }
  return undefined;
}

function hostsOf(
  ref: MachineRef,
  machine: Metal3Machine | undefined,
  world: Pick<KubeWorld, 'caches'>,
): readonly BareMetalHost[] {
  const reserved = hostsReservedFor(ref, world);
  if (machine === undefined) return [...reserved, ...hostsWithDataOf(ref, world)];
  const key = recordedHost(machine);
  if (key === undefined) return isBound(machine, world) ? [...reserved, ...hostsWithDataOf(ref, world)] : reserved;
  const recorded = cachedHost(key, world);
  return recorded === undefined || !runsFor(machine, recorded, world) ? reserved : [...reserved, recorded];
}

/** What a person can do where no machine is left that would empty its host. */
export const remedyWithout = (machine: string): string =>
  `Metal3Machine ${machine}, which used it, was removed by force. Take spec.image and spec.customDeploy off the host and set spec.online to false, or delete it`;
