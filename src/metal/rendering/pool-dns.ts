// The name servers of an address of Cluster API, which carries none: its pool's, or the entry's (metal-R5).

import { type Address, containsAddress, parseAddress, parseNetwork } from '../../base/ip.ts';
import type { IPPool, IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import { renderingRefused } from './refused.ts';

type Entry = NonNullable<IPPoolSpec['pools']>[number];

/** The first entry that the address lies in decides; the pool's own servers are for entries that have none. */
export function dnsServersFor(pool: IPPool | undefined, address: string | undefined): readonly string[] {
  const parsed = parseAddress(address ?? '');
  if (parsed === undefined) throw renderingRefused(`address "${address ?? ''}"`, 'it is no IP address');
  if (pool === undefined) throw renderingRefused(`address ${address}`, 'its IPPool is not there');
  const entry = pool.spec?.pools?.find(one => isWithin(parsed, one));
  if (entry === undefined)
    throw renderingRefused(`address ${address}`, `IPPool ${keyText(keyOf(pool))} does not hold it`);
  return entry.dnsServers?.length ? entry.dnsServers : (pool.spec?.dnsServers ?? []);
}

/** An entry with a bound that cannot be read holds nothing; one without bounds holds all. */
function isWithin(address: Address, { start, end, subnet }: Entry): boolean {
  return (
    holds(start, parseAddress, bound => bound.family === address.family && bound.bits <= address.bits) &&
    holds(end, parseAddress, bound => bound.family === address.family && bound.bits >= address.bits) &&
    holds(subnet, parseNetwork, network => containsAddress(network, address))
  );
}

function holds<T>(
  text: string | undefined,
  parse: (text: string) => T | undefined,
  is: (bound: T) => boolean,
): boolean {
  if (text === undefined) return true;
  const bound = parse(text);
  return bound !== undefined && is(bound);
}
