// The pools that a template takes addresses from: each once, whatever fields name it.

import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import type { MetaData, NetworkData, SourceObjects } from './input.ts';
import { placedNetworks, poolOfNetwork } from './networks.ts';
import { type ChosenPool, metal3Pool, type PoolReference } from './pool-choice.ts';
import { renderingRefused } from './refused.ts';
import { poolOfGateway } from './routes.ts';

/** One per name, in the order of the template. Refused where one name means two kinds of pools. */
export function poolReferencesOf({ spec }: Metal3DataTemplate, objects: SourceObjects): readonly PoolReference[] {
  const chosen = [...ofMetaData(spec?.metaData ?? {}), ...ofNetworkData(spec?.networkData ?? {}, objects)];
  const byName = new Map<string, ChosenPool>();
  for (const one of chosen) {
    const before = byName.get(one.pool.name) ?? one;
    if (!isSameKind(before.pool, one.pool)) throw twoKinds(before, one);
    byName.set(one.pool.name, before);
  }
  return [...byName.values()].map(({ pool }) => pool);
}

const isSameKind = (one: PoolReference, other: PoolReference): boolean =>
  one.kind === other.kind && one.apiGroup === other.apiGroup;

function twoKinds(before: ChosenPool, { pool, field }: ChosenPool): Error {
  const both = [pool, before.pool].map(({ kind, apiGroup }) => `${kind} of ${apiGroup}`);
  return renderingRefused(`${field} "${pool.name}"`, `it is an ${both[0]} here, and an ${both[1]} in ${before.field}`);
}

const LISTS = ['ipAddressesFromPool', 'prefixesFromPool', 'gatewaysFromPool', 'dnsServersFromPool'] as const;

/** Kind and group of these fields are not read, as upstream has it: the pool is one of Metal3. */
function ofMetaData(section: MetaData): readonly ChosenPool[] {
  return LISTS.flatMap(list =>
    (section[list] ?? []).map(({ name }, index) => ({
      pool: metal3Pool(name),
      field: `spec.metaData.${list}[${index}].name`,
    })),
  );
}

function ofNetworkData({ networks, services }: NetworkData, objects: SourceObjects): readonly ChosenPool[] {
  const ofNetworks = placedNetworks(networks).flatMap(placed => {
    const own = placed.kind.isStatic ? poolOfNetwork(placed, objects) : undefined;
    const ofRoutes = (placed.network.routes ?? []).flatMap((route, index) => {
      const field = `${placed.field}.routes[${index}]`;
      return [poolOfGateway(route, objects, field), named(route.services?.dnsFromIPPool, `${field}.services`)];
    });
    return [own, ...ofRoutes];
  });
  const all = [...ofNetworks, named(services?.dnsFromIPPool, 'spec.networkData.services')];
  return all.filter(one => one !== undefined);
}

const named = (name = '', field: string): ChosenPool | undefined =>
  name === '' ? undefined : { pool: metal3Pool(name), field: `${field}.dnsFromIPPool` };
