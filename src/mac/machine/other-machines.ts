// What other machines have to do with one machine's host: share it, or have started it clean since.

import { millisOf } from '../../base/clock.ts';
import type { Informer } from '../../kube/cache.ts';
import type { MacWorld } from '../world.ts';
import { adoptionOf } from './adoption-record.ts';
import { fullName, MacMachine, providerIdOf } from './mac-machine.ts';
import { cleanStartOf } from './release-record.ts';

const BY_PROVIDER_ID = 'mac.providerId';
const BY_NAME = 'mac.name';

/** The cache of machines, with what it is looked up by. */
export function machines({ caches }: Pick<MacWorld, 'caches'>): Informer<MacMachine> {
  const informer = caches.of(MacMachine);
  informer.index(BY_PROVIDER_ID, machine => [providerIdOf(machine) ?? '']);
  informer.index(BY_NAME, machine => [machine.metadata.name]);
  return informer;
}

export const machinesNamed = (name: string, world: Pick<MacWorld, 'caches'>): readonly MacMachine[] =>
  machines(world).by(BY_NAME, name);

export const machinesOn = (hostId: string, world: Pick<MacWorld, 'caches'>): readonly MacMachine[] =>
  machines(world).by(BY_PROVIDER_ID, hostId);

/** Another machine that claims the same host and bears the same name, so that the name alone would not tell (mac-F14). */
export function sharerOf(machine: MacMachine, hostId: string, world: MacWorld): MacMachine | undefined {
  return machinesOn(hostId, world).find(
    other => other.metadata.uid !== machine.metadata.uid && other.metadata.name === machine.metadata.name,
  );
}

/** The machine of that name, if it has this host now and started it clean after it took it (safe-11). */
export function cleanStartBy(
  machine: MacMachine,
  { hostId, name }: { readonly hostId: string; readonly name: string },
  world: MacWorld,
): { readonly by: string; readonly atMs: number } | undefined {
  for (const other of machinesOn(hostId, world)) {
    if (other.metadata.uid === machine.metadata.uid || other.metadata.name !== name) continue;
    const atMs = cleanSinceMs(other, hostId);
    if (atMs !== undefined) return { by: fullName(other), atMs };
  }
  return undefined;
}

/** When this machine started its present host clean; undefined when it has not since it adopted it. */
export function cleanSinceMs(machine: MacMachine, hostId: string): number | undefined {
  const clean = cleanStartOf(machine);
  const adopted = adoptionOf(machine);
  if (clean?.hostId !== hostId || adopted?.hostId !== hostId) return undefined;
  const atMs = millisOf(clean.time);
  return atMs >= millisOf(adopted.time) ? atMs : undefined;
}
