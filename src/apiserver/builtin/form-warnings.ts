// Addresses and networks that have one form and were written in another.

import { addressText, networkText, parseAddress, parseNetwork } from '../../base/ip.ts';

const advised = (path: string, what: string, [text, canonical]: readonly [string, string]): readonly string[] =>
  text === canonical
    ? []
    : [
        `${path}: IPv6 ${what} ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`,
      ];

export function addressFormWarnings(path: string, ip: string): readonly string[] {
  const address = parseAddress(ip);
  return address === undefined || address.family === 4 ? [] : advised(path, 'address', [ip, addressText(address)]);
}

export function networkFormWarnings(path: string, text: string): readonly string[] {
  const network = parseNetwork(text);
  if (network === undefined || network.address.family === 4) return [];
  return advised(path, 'CIDR value', [text, networkText(network)]);
}
