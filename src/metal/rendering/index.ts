// What the provider renders for a host, and the pools that it takes addresses from for that.

export type { PoolAddress } from './input.ts';
export { renderMetaData } from './meta-data.ts';
export { renderNetworkData } from './network-data.ts';
export type { PoolReference } from './pool-choice.ts';
export { dnsServersFor } from './pool-dns.ts';
export { poolReferencesOf } from './pool-references.ts';
