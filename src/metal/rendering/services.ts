// The name servers of a host or of a route: those that the template lists, then those of a pool.

import type { YamlMap } from '../../base/yaml/document.ts';
import type { PoolAddresses, Services } from './input.ts';
import { addressFrom } from './pool-choice.ts';

export function renderServices(services: Services | undefined, addresses: PoolAddresses, field: string): YamlMap[] {
  const { dns = [], dnsFromIPPool = '' } = services ?? {};
  const ofPool = dnsFromIPPool === '' ? [] : addressFrom(addresses, dnsFromIPPool, `${field}.dnsFromIPPool`).dnsServers;
  return [...dns, ...ofPool].map(address => ({ type: 'dns', address }));
}
