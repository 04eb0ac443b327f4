// Metal3DataTemplate in both versions: names of pools, bond parameters and indexes are told in other shapes.

import {
  at,
  each,
  type Fields,
  filled,
  forgotten,
  inOrder,
  isFields,
  renamed,
  type Step,
  told,
  unless,
} from './steps.ts';

const POOL_KIND = { kind: 'IPPool' };
const POOL = { apiGroup: 'ipam.metal3.io', ...POOL_KIND };

const fromPools = (what: string): Step =>
  inOrder(each(`${what}FromIPPool`, filled(POOL)), renamed(`${what}FromIPPool`, `${what}FromPool`));

const metaData = inOrder(...['ipAddresses', 'prefixes', 'gateways', 'dnsServers'].map(fromPools));

/** A map of v1beta1 that is a list of named things in v1beta2, in the order of `byRank`. */
const asNamedList = (name: string, value: string, byRank: (a: Fields, b: Fields) => number): Step =>
  told(name, {
    up: map =>
      isFields(map)
        ? Object.entries(map)
            .map(([key, each]) => ({ name: key, [value]: each }))
            .sort(byRank)
        : map,
    down: list =>
      Array.isArray(list)
        ? Object.fromEntries(list.filter(isFields).map((item): [string, unknown] => [String(item.name), item[value]]))
        : list,
  });

const byName = (a: Fields, b: Fields): number => (String(a.name) < String(b.name) ? -1 : 1);
const byIndex = (a: Fields, b: Fields): number => Number(a.index) - Number(b.index) || byName(a, b);

const links = each('bonds', asNamedList('parameters', 'value', byName));

/** Clients of v1beta1 write a reference without a name where they mean none. */
const namesNoPool = (value: unknown): boolean => isFields(value) && (value.name === undefined || value.name === '');

const poolRef = inOrder(unless('fromPoolRef', namesNoPool), at('fromPoolRef', filled(POOL_KIND)));

const routed = each('routes', at('gateway', poolRef));
const fixed = inOrder(poolRef, routed);

const networks = inOrder(
  each('ipv4', fixed),
  each('ipv6', inOrder(fixed, filled({ ipAddressFromIPPool: '' }))),
  ...['ipv4DHCP', 'ipv6DHCP', 'ipv6SLAAC'].map(kind => each(kind, routed)),
);

export const dataTemplate: Step = inOrder(
  at(
    'spec',
    inOrder(
      filled({ clusterName: '' }),
      unless('clusterName', name => name === ''),
      forgotten('templateReference'),
      at('metaData', metaData),
      at('networkData', inOrder(at('links', links), at('networks', networks))),
    ),
  ),
  at('status', asNamedList('indexes', 'index', byIndex)),
);
