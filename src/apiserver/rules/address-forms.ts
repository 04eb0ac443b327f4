// Which forms of addresses and networks are taken: one, where a field never took another; older fields keep what they have.

import { addressText, masked, networkText, parseAddress, parseNetwork } from '../../base/ip.ts';

export const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NO_NETWORK = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** An address without leading zeros, and not an older one in newer clothes. */
export function addressProblem(ip: string): string | undefined {
  const parsed = parseAddress(ip);
  if (parsed === undefined) {
    return parseAddress(unpadded(ip)) === undefined ? NO_ADDRESS : 'must not have leading 0s';
  }
  const isMapped = parsed.family === 6 && parsed.bits >> 32n === 0xffffn;
  return isMapped ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

/** In its one form, too. */
export function addressFormProblem(ip: string): string | undefined {
  const problem = addressProblem(ip);
  const parsed = parseAddress(ip);
  return problem !== undefined || parsed === undefined ? problem : formProblem(ip, addressText(parsed));
}

/** A network without leading zeros, whose bits beyond the prefix are none. */
export function networkProblem(text: string): string | undefined {
  const network = parseNetwork(text);
  if (network === undefined) {
    const isPadded = parseNetwork(unpadded(text)) !== undefined;
    return isPadded ? 'must not have leading 0s in IP or prefix length' : NO_NETWORK;
  }
  const { family, bits } = network.address;
  if (family === 6 && bits >> 32n === 0xffffn) return 'must not have an IPv4-mapped IPv6 address';
  const isMasked = masked(network).address.bits === bits;
  return isMasked ? undefined : 'must not have bits set beyond the prefix length';
}

/** In its one form, too. */
export function networkFormProblem(text: string): string | undefined {
  const problem = networkProblem(text);
  const network = parseNetwork(text);
  return problem !== undefined || network === undefined ? problem : formProblem(text, networkText(network));
}

const unpadded = (text: string): string => text.replaceAll(/(^|[.:/])0+(?=\d+([./]|$))/g, '$1');

const formProblem = (text: string, canonical: string): string | undefined =>
  text === canonical ? undefined : `must be in canonical form (${JSON.stringify(canonical)})`;
