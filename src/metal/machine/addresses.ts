// The addresses of a machine, as its host's hardware has them.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3MachineStatus } from '../../kinds/generated/metal3-machine.generated.ts';

type Addresses = NonNullable<Metal3MachineStatus['addresses']>;

/** The API's bounds: the list, and each address. */
const MOST = 32;
const LONGEST = 256;

/** One InternalIP for each address of an interface, then the host name; undefined when nothing is known. */
export function addressesOf({ status }: BareMetalHost): Addresses | undefined {
  const { nics = [], hostname = '' } = status?.hardware ?? {};
  const ips = nics.flatMap(({ ip = '' }) => (fits(ip) ? [{ type: 'InternalIP' as const, address: ip }] : []));
  const names = fits(hostname) ? (['Hostname', 'InternalDNS'] as const).map(type => ({ type, address: hostname })) : [];
  const all = [...ips.slice(0, MOST - names.length), ...names];
  return all.length === 0 ? undefined : all;
}

const fits = (text: string): boolean => text !== '' && text.length <= LONGEST;
