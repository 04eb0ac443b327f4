// The networks of a host, in the order of their kinds: those with an address from a pool, then those that ask for one.

import type { YamlMap } from '../../base/yaml/document.ts';
import type { Network, Networks, RenderingInput, SourceObjects } from './input.ts';
import { type Family, netmask } from './netmask.ts';
import { addressFrom, type ChosenPool, chosenPool } from './pool-choice.ts';
import { renderingRefused } from './refused.ts';
import { renderRoutes } from './routes.ts';

interface NetworkKind {
  readonly field: keyof Networks;
  readonly type: string;
  readonly family: Family;
  /** Whether its address comes from a pool. */
  readonly isStatic: boolean;
}

const KINDS: readonly NetworkKind[] = [
  { field: 'ipv4', type: 'ipv4', family: 4, isStatic: true },
  { field: 'ipv6', type: 'ipv6', family: 6, isStatic: true },
  { field: 'ipv4DHCP', type: 'ipv4_dhcp', family: 4, isStatic: false },
  { field: 'ipv6DHCP', type: 'ipv6_dhcp', family: 6, isStatic: false },
  { field: 'ipv6SLAAC', type: 'ipv6_slaac', family: 6, isStatic: false },
];

/** One network of a template, and where it stands there. */
export interface PlacedNetwork {
  readonly network: Network;
  readonly kind: NetworkKind;
  readonly field: string;
}

export function placedNetworks(networks: Networks | undefined): PlacedNetwork[] {
  return KINDS.flatMap(kind => {
    const ofKind: readonly Network[] = networks?.[kind.field] ?? [];
    return ofKind.map((network, index) => ({
      network,
      kind,
      field: `spec.networkData.networks.${kind.field}[${index}]`,
    }));
  });
}

/** Undefined where none is named. */
export const poolOfNetwork = ({ network, field }: PlacedNetwork, objects: SourceObjects): ChosenPool | undefined =>
  chosenPool({ ...network, named: { by: 'ipAddressFromIPPool', name: network.ipAddressFromIPPool } }, objects, field);

export function renderNetworks(networks: Networks | undefined, input: RenderingInput): YamlMap[] {
  return placedNetworks(networks).map(placed => {
    const { network, kind, field } = placed;
    const fixed = kind.isStatic ? addressOf(placed, input) : {};
    const routes = renderRoutes(network.routes ?? [], kind.family, { input, field: `${field}.routes` });
    return { type: kind.type, id: network.id, link: network.link, routes, ...fixed };
  });
}

function addressOf(placed: PlacedNetwork, input: RenderingInput): YamlMap {
  const chosen = poolOfNetwork(placed, input);
  if (chosen === undefined) throw renderingRefused(placed.field, 'it names no pool');
  const { pool, field } = chosen;
  const { address, prefix } = addressFrom(input.addresses, pool.name, field);
  const mask = prefix === undefined ? '' : netmask(prefix, placed.kind.family, `${field} "${pool.name}"`);
  return { ip_address: address, netmask: mask };
}
