// What has become of the host that a machine has on record: reserved for it, free, another's, or gone.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { type Wait, wait } from '../../kube/outcome.ts';
import { clusterKeeping, isReservedFor } from '../host/consumer.ts';
import { cachedHost, hostsReservedFor, hostsWithDataOf, recordedHost } from '../host/hosts.ts';
import { isBound } from './bound.ts';
import { RECHECK_MS } from './surroundings.ts';

export type OwnHost =
  | { readonly kind: 'none' }
  | { readonly kind: 'reserved' | 'free' | 'taken'; readonly host: BareMetalHost }
  | { readonly kind: 'gone'; readonly key: ObjectKey };

/** One live read before a host counts as gone: the cache may not know it yet (safe-1). */
export async function ownHostOf(machine: Metal3Machine, world: Pick<KubeWorld, 'api' | 'caches'>): Promise<OwnHost> {
  const key = recordedHost(machine);
  if (key === undefined) return { kind: 'none' };
  const host = cachedHost(key, world) ?? (await world.api.find(BareMetalHost, key));
  if (host === undefined) return { kind: 'gone', key };
  if (isReservedFor(host, machine)) return { kind: 'reserved', host };
  return { kind: host.spec?.consumerRef === undefined || clusterKeeping(host) ? 'free' : 'taken', host };
}

/** The reserved host as the cache shows it, or the wait for it to show: what is written next is locked to it. */
export function reservedHost(machine: Metal3Machine, world: Pick<KubeWorld, 'caches'>): BareMetalHost | Wait {
  const key = recordedHost(machine);
  const host = key === undefined ? undefined : cachedHost(key, world);
  if (host !== undefined && isReservedFor(host, machine)) return host;
  const { name, namespace = '' } = key ?? keyOf(machine);
  return wait({ kind: BareMetalHost, namespace, name }, `the reservation of BareMetalHost ${name} to show`, RECHECK_MS);
}

export const isWait = (one: BareMetalHost | Wait): one is Wait => one.kind === 'wait';

/**
 * Hosts that a machine may hold: the one on record, and any whose consumerRef names it. Where it has lost its record,
 * those that run with its data too.
 */
export function possibleHosts(machine: Metal3Machine, world: Pick<KubeWorld, 'caches'>): readonly ObjectKey[] {
  const recorded = recordedHost(machine);
  const isLost = recorded === undefined && isBound(machine, world);
  const keys = [
    ...(recorded === undefined ? [] : [recorded]),
    ...hostsReservedFor(keyOf(machine), world).map(keyOf),
    ...(isLost ? hostsWithDataOf(keyOf(machine), world).map(keyOf) : []),
  ];
  return [...new Map(keys.map(key => [keyText(key), key])).values()];
}
