// Gives a host back: wiped while it bears this machine's name, recorded, and only then renamed into the pool (safe-10).

import { millisOf, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { appleSiliconProviderId } from '../../kinds/wire.ts';
import { type Change, done, type Outcome, wait } from '../../kube/outcome.ts';
import type { MacServer } from '../cloud.ts';
import type { MacWorld } from '../world.ts';
import { adoptionOf, isDetached } from './adoption-record.ts';
import { claimName, fullName, type MacMachine, poolPrefixOf, providerIdOf, serverOf, zoneOf } from './mac-machine.ts';
import { holderOfName } from './name-taken.ts';
import { cleanStartBy, sharerOf } from './other-machines.ts';
import { recordRelease, releaseOf } from './release-record.ts';
import { wipe } from './wipe.ts';

/** What is released, by id; read before each write. */
export interface Host {
  readonly hostId: string;
  readonly zone: string;
  readonly id: string;
}

/** Repeats safely; where it stands is read from the record and from the cloud, never remembered. */
export async function releaseHost(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  const hostId = providerIdOf(machine);
  if (hostId === undefined)
    return isDetached(machine) ? skipped(machine, DETACHED, world) : claimedUnseen(machine, world);
  const ref = serverOf(hostId);
  if (ref === undefined) return skipped(machine, `${hostId} is no host of this cloud`, world);
  if (poolPrefixOf(machine, world.settings) === '') return skipped(machine, NO_PREFIX, world);
  const host = { ...ref, hostId };
  return isReleased(machine) ? returnToPool(machine, host, world) : wipeAndRecord(machine, host, world);
}

/**
 * Whether the release of the present host, since this machine took it, is on record: what later stages rest on. A machine that
 * gave its host back may take the same one again, and the old record says nothing about that (mac-F52).
 */
export function isReleased(machine: MacMachine): boolean {
  const released = releaseOf(machine);
  if (released === undefined || released.hostId !== providerIdOf(machine)) return false;
  const adopted = adoptionOf(machine);
  return adopted?.hostId !== released.hostId || millisOf(released.time) > millisOf(adopted.time);
}

const DETACHED = 'it was detached from its host';
const NO_PREFIX = 'no pool prefix says where the host belongs';

/** safe-12: the host runs on, with its agent, its Node and its Pods. */
function skipped(machine: MacMachine, why: string, { events }: MacWorld): Outcome {
  events.warning(machine, 'ReleaseSkipped', `${why}: the host is left as it is, and its Pods wait for a proof`);
  return done();
}

/** mac-F5: a host may bear the claim name although the crash came before the providerID was written. */
async function claimedUnseen(machine: MacMachine, world: MacWorld): Promise<Outcome> {
  if ((await holderOfName(machine, world.api)) !== undefined) return done();
  const zone = zoneOf(machine);
  const listing = await world.cloud.servers(zone);
  if (listing.kind === 'unknown') {
    return wait(
      inCloud(zone),
      `the list of zone ${zone}, in which a claimed host may be: ${listing.reason}`,
      seconds(10),
    );
  }
  const claimed = listing.value.find(server => server.name === claimName(machine));
  if (claimed === undefined) return done();
  const providerID = appleSiliconProviderId(claimed.zone, claimed.id);
  return wait(inCloud(providerID), 'the host that was claimed to be written down', seconds(1), {
    change: { spec: { providerID } },
  });
}

async function wipeAndRecord(machine: MacMachine, host: Host, world: MacWorld): Promise<Outcome> {
  const sharer = sharerOf(machine, host.hostId, world);
  if (sharer !== undefined) return heldElsewhere(host, `${fullName(sharer)} has it too`);
  const seen = await world.cloud.server(host);
  if (seen.kind === 'absent') return confirmAbsence(host, world);
  world.journal.note(host.hostId, seen);
  if (seen.kind === 'unknown') return cloudSilent(host, seen.reason);
  // Whoever started it: this disk is being erased.
  if (seen.value.status === 'reinstalling') return recorded(world, host, 'reinstalling');
  if (seen.value.name !== claimName(machine)) return otherName(machine, { host, server: seen.value }, world);
  const wiped = await wipe(machine, seen.value, world);
  return wiped === 'reinstalling' ? recorded(world, host, wiped) : wiped;
}

/** safe-2: two such answers 5 s apart, by credentials that see another server of the project. */
async function confirmAbsence(host: Host, world: MacWorld): Promise<Outcome> {
  const seen = await world.witness.host(host.hostId);
  const standing = world.journal.note(host.hostId, seen);
  if (standing.kind === 'twice') return recorded(world, host, 'absent');
  if (standing.kind === 'once')
    return wait(inCloud(host.hostId), 'a second answer that the host is gone', standing.againInMs);
  return cloudSilent(host, standing.why);
}

/** Another machine's host by now, unless that one has started it clean: then this machine's VMs are gone (safe-11). */
function otherName(
  machine: MacMachine,
  { host, server }: { readonly host: Host; readonly server: MacServer },
  world: MacWorld,
): Outcome {
  const cleaner = cleanStartBy(machine, { hostId: host.hostId, name: server.name }, world);
  if (cleaner !== undefined) {
    return recordedAs(host, recordRelease(host.hostId, { seen: `clean start by ${cleaner.by}`, atMs: cleaner.atMs }));
  }
  return heldElsewhere(host, `it bears the name ${server.name}`);
}

function heldElsewhere(host: Host, why: string): Outcome {
  const what = `host ${host.hostId} to be free of this machine: ${why}, so nothing is done to it`;
  return wait(inCloud(host.hostId), what, seconds(30), { reason: 'HostHeldElsewhere' });
}

function cloudSilent(host: Host, why: string): Outcome {
  const what = `the cloud to say what has become of host ${host.hostId}: ${why}`;
  return wait(inCloud(host.hostId), what, seconds(10), { reason: 'HostUnknown' });
}

function recorded({ clock }: MacWorld, host: Host, seen: string): Outcome {
  return recordedAs(host, recordRelease(host.hostId, { seen, atMs: clock.now() }));
}

/** What follows must find the record in the API's answer, not remember it. */
function recordedAs(host: Host, change: Change): Outcome {
  return wait(inCloud(host.hostId), 'the release to be on record', seconds(1), { change, onceRecorded: 'go on' });
}

async function returnToPool(machine: MacMachine, host: Host, world: MacWorld): Promise<Outcome> {
  const seen = await world.cloud.server(host);
  if (seen.kind === 'unknown') return cloudSilent(host, seen.reason);
  if (seen.kind === 'present' && seen.value.name === claimName(machine)) {
    const name = `${poolPrefixOf(machine, world.settings)}${world.random.uuid()}`;
    try {
      await world.cloud.rename(host, name);
    } catch (error) {
      world.events.warning(machine, 'ReturnFailed', messageOf(error));
      const what = `the wiped host to get a name of the pool: ${messageOf(error)}`;
      return wait(inCloud(host.hostId), what, seconds(10), { reason: 'ReturnFailed' });
    }
    world.events.normal(machine, 'Released', `Host ${host.hostId} is wiped and back in the pool as ${name}`);
  }
  return (await returnDoubleClaim(machine, host, world)) ?? done({ status: { serverID: null } });
}

/** mac-F13: two leaders may have claimed a host each under this name; the one that lost was never set up, and goes back too. */
async function returnDoubleClaim(machine: MacMachine, host: Host, world: MacWorld): Promise<Outcome | undefined> {
  const listing = await world.cloud.servers(host.zone);
  if (listing.kind === 'unknown') return cloudSilent(host, listing.reason);
  const double = listing.value.find(server => server.name === claimName(machine) && server.id !== host.id);
  if (double === undefined || (await holderOfName(machine, world.api)) !== undefined) return undefined;
  const hostId = appleSiliconProviderId(double.zone, double.id);
  if (double.status !== 'reinstalling') {
    const wiped = await wipe(machine, double, world);
    if (wiped !== 'reinstalling') return wiped;
  }
  await world.cloud.rename(double, `${poolPrefixOf(machine, world.settings)}${world.random.uuid()}`);
  world.events.normal(machine, 'Released', `Host ${hostId} was claimed too; it is wiped and back in the pool`);
  return undefined;
}

const inCloud = (subject: string) => ({ port: 'scaleway', subject });
