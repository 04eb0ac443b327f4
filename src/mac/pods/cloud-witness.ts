// Asks the cloud about hosts so that an answer counts: a 404 only with credentials that see another server of the project.

import { notSeen, present, type Sighting, unknown } from '../../base/sighting.ts';
import { appleSiliconProviderId, parseAppleSiliconProviderId } from '../../kinds/wire.ts';
import type { MacCloud, MacServer } from '../cloud.ts';
import type { HostWitness, SeenHost } from './witness.ts';

export interface WitnessOptions {
  readonly cloud: MacCloud;
  /** Every zone that may hold a Mac of ours. */
  readonly zones: () => readonly string[];
  /** The project whose servers ours are: a key that was moved to another project answers 404 for everything (safe-2). */
  readonly projectId: string;
}

export function cloudWitness({ cloud, zones, projectId }: WitnessOptions): HostWitness {
  return {
    host: providerId => hostOf(providerId, { cloud, zones, projectId }),
    hosts: () => hostsOf({ cloud, zones, projectId }),
    canSee: providerId => parseAppleSiliconProviderId(providerId) !== undefined,
  };
}

async function hostOf(providerId: string, options: WitnessOptions): Promise<Sighting<SeenHost>> {
  const ref = parseAppleSiliconProviderId(providerId);
  if (ref === undefined) return unknown(`${providerId} is not a host of this cloud`);
  const seen = await options.cloud.server({ zone: ref.zone, id: ref.serverId });
  if (seen.kind === 'present') return present(seenHost(seen.value));
  if (seen.kind === 'unknown') return seen;
  return absenceCounts(ref.zone, ref.serverId, options);
}

/** safe-2: the same credentials see another server of the project in this pass, and the list does not show this one. */
async function absenceCounts(zone: string, id: string, options: WitnessOptions): Promise<Sighting<SeenHost>> {
  let another = false;
  for (const each of new Set([zone, ...options.zones()])) {
    const listing = await options.cloud.servers(each);
    if (listing.kind === 'unknown') return listing;
    const ours = listing.value.filter(server => server.projectId === options.projectId);
    const itself = ours.find(server => server.id === id);
    if (itself !== undefined) return present(seenHost(itself));
    another ||= ours.length > 0;
  }
  return another
    ? notSeen('cloud', id)
    : unknown(`the cloud answers 404, but shows no other server of project ${options.projectId}: wrong project or key`);
}

async function hostsOf({ cloud, zones, projectId }: WitnessOptions): Promise<Sighting<readonly SeenHost[]>> {
  const all: SeenHost[] = [];
  for (const zone of zones()) {
    const listing = await cloud.servers(zone);
    if (listing.kind === 'unknown') return unknown(`zone ${zone}: ${listing.reason}`);
    all.push(...listing.value.filter(server => server.projectId === projectId).map(seenHost));
  }
  return present(all);
}

const seenHost = (server: MacServer): SeenHost => ({
  providerId: appleSiliconProviderId(server.zone, server.id),
  name: server.name,
});
