// Takes a free host out of a pool by renaming it, so that every step is found again by the name it left (mac-F13 to mac-F17).

import type { Random } from '../../base/random.ts';
import type { Sighting } from '../../base/sighting.ts';
import { cloudUnavailable, type MacCloud, type MacServer, serverNotThere } from '../cloud.ts';
import { familyKey, familyOf } from './os-image.ts';

/** Which hosts will do. */
export interface Wanted {
  /** The name that makes a host this machine's. */
  readonly claimName: string;
  readonly zone: string;
  readonly poolPrefix: string;
  readonly type: string;
  readonly os: string;
}

/** A host under this name was taken and not yet named for a machine: whoever finds it may finish. */
export const PENDING_PREFIX = 'tuist-claim-pending-';

interface ClaimWorld {
  readonly cloud: MacCloud;
  readonly random: Random;
}

/** The claimed host, or undefined when the pool has none. Throws when the cloud gives no clear answer: never "none" (mac-F16). */
export async function claimHost(wanted: Wanted, world: ClaimWorld): Promise<MacServer | undefined> {
  const listing = await world.cloud.servers(wanted.zone);
  if (listing.kind === 'unknown') throw cloudUnavailable(`Listing zone ${wanted.zone}`, listing.reason);
  const claimed = listing.value.find(server => server.name === wanted.claimName);
  if (claimed !== undefined) return claimed;
  for (const candidate of listing.value.filter(server => isFree(server, wanted))) {
    const taken = await take(candidate, wanted, world);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

function isFree(server: MacServer, { poolPrefix, type, os }: Wanted): boolean {
  const isInPool = server.name.startsWith(poolPrefix) || server.name.startsWith(PENDING_PREFIX);
  if (!isInPool || !server.delivered || server.status !== 'ready' || server.type !== type) return false;
  return server.os !== undefined && familyOf(server.os) === familyKey(os);
}

/** Undefined when somebody else has the host by now, or it is gone: the next one is tried. */
async function take(candidate: MacServer, wanted: Wanted, world: ClaimWorld): Promise<MacServer | undefined> {
  const { cloud, random } = world;
  if ((await nameNow(candidate, cloud)) !== candidate.name) return undefined;
  const pending = `${PENDING_PREFIX}${random.uuid()}`;
  if (!(await rename(candidate, pending, cloud))) return undefined;
  if ((await nameNow(candidate, cloud)) !== pending) return undefined;
  if (!(await rename(candidate, wanted.claimName, cloud))) return undefined;
  return confirmed(candidate, wanted, cloud);
}

/** The host may bear the name from now on: a second one is taken only when this one is surely somebody else's. */
async function confirmed(candidate: MacServer, wanted: Wanted, cloud: MacCloud): Promise<MacServer | undefined> {
  const now = sure(await cloud.server(candidate), candidate);
  if (now === undefined) {
    const what = `Reading server ${candidate.zone}/${candidate.id} after it was claimed`;
    throw cloudUnavailable(what, 'it is not there; the next look at the zone decides');
  }
  return now.name === wanted.claimName ? now : undefined;
}

async function nameNow(candidate: MacServer, cloud: MacCloud): Promise<string | undefined> {
  return sure(await cloud.server(candidate), candidate)?.name;
}

function sure(seen: Sighting<MacServer>, candidate: MacServer): MacServer | undefined {
  if (seen.kind === 'unknown') throw cloudUnavailable(`Reading server ${candidate.zone}/${candidate.id}`, seen.reason);
  return seen.kind === 'present' ? seen.value : undefined;
}

/** False when the host is not there any more. */
async function rename(candidate: MacServer, name: string, cloud: MacCloud): Promise<boolean> {
  try {
    await cloud.rename(candidate, name);
    return true;
  } catch (error) {
    if (serverNotThere.is(error)) return false;
    throw error;
  }
}
