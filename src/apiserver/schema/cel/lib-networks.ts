// IP addresses and networks in rules: `ip("::1").family() == 6`, `cidr("10.0.0.0/8").containsIP("10.1.2.3")`.

import type { Environment } from '@marcbachmann/cel-js';
import {
  type Address,
  addressText,
  containsAddress,
  masked,
  type Network,
  networkText,
  parseAddress,
  parseNetwork,
} from '../../../base/ip.ts';
import { addressProblem, networkProblem } from './address-problems.ts';
import type { Register } from './environment.ts';

class Ip {
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  valueOf(): string {
    return addressText(this.address);
  }
}

class Cidr {
  readonly network: Network;

  constructor(network: Network) {
    this.network = network;
  }

  valueOf(): string {
    return networkText(this.network);
  }
}

class IpNamespace {}

export function registerNetworks(environment: Environment, register: Register): void {
  for (const [name, ctor] of [
    ['net.IP', Ip],
    ['net.CIDR', Cidr],
  ] as const) {
    environment.registerType(name, { ctor, fields: {} });
    environment.registerOperator(
      `${name} == ${name}: bool`,
      (a: Ip | Cidr, b: Ip | Cidr) => a.valueOf() === b.valueOf(),
    );
  }
  environment.registerType('IpNamespace', IpNamespace);
  environment.registerConstant('ip', 'IpNamespace', new IpNamespace());
  registerAddresses(register);
  registerRanges(register);
}

function registerAddresses(register: Register): void {
  register('isIP(string): bool', (text: string) => plainAddress(text) !== undefined);
  register('ip(string): net.IP', ipOf);
  register('IpNamespace.isCanonical(string): bool', (_: unknown, text: string) => ipOf(text).valueOf() === text);
  register('string(net.IP): string', (ip: Ip) => ip.valueOf());
  const on = (call: string, test: (address: Address) => unknown): void =>
    register(`net.IP.${call}`, ({ address }: Ip) => test(address));
  on('family(): int', ({ family }) => BigInt(family));
  on('isUnspecified(): bool', ({ bits }) => bits === 0n);
  on('isLoopback(): bool', isLoopback);
  on('isLinkLocalUnicast(): bool', isLinkLocalUnicast);
  on('isLinkLocalMulticast(): bool', isLinkLocalMulticast);
  on('isGlobalUnicast(): bool', isGlobalUnicast);
}

function registerRanges(register: Register): void {
  register('isCIDR(string): bool', (text: string) => parseNetwork(text) !== undefined);
  register('cidr(string): net.CIDR', cidrOf);
  register('string(net.CIDR): string', (cidr: Cidr) => cidr.valueOf());
  register('net.CIDR.ip(): net.IP', ({ network }: Cidr) => new Ip(network.address));
  register('net.CIDR.masked(): net.CIDR', ({ network }: Cidr) => new Cidr(masked(network)));
  register('net.CIDR.prefixLength(): int', ({ network }: Cidr) => BigInt(network.prefixLength));
  register('net.CIDR.containsIP(net.IP): bool', ({ network }: Cidr, ip: Ip) => containsAddress(network, ip.address));
  register('net.CIDR.containsIP(string): bool', ({ network }: Cidr, text: string) =>
    containsAddress(network, askedAddress(text)),
  );
  register('net.CIDR.containsCIDR(net.CIDR): bool', ({ network }: Cidr, other: Cidr) =>
    containsNetwork(network, other.network),
  );
  register('net.CIDR.containsCIDR(string): bool', ({ network }: Cidr, text: string) =>
    containsNetwork(network, cidrOf(text).network),
  );
}

/** An IPv4 address in IPv6 clothing is refused: two texts for one address. */
function plainAddress(text: string): Address | undefined {
  const address = parseAddress(text);
  return address?.family === 6 && address.bits >> 32n === 0xffffn ? undefined : address;
}

function askedAddress(text: string): Address {
  const address = plainAddress(text);
  if (address === undefined) throw new Error('no such overload');
  return address;
}

function ipOf(text: string): Ip {
  const address = plainAddress(text);
  if (address !== undefined) return new Ip(address);
  throw new Error(
    `IP Address ${JSON.stringify(text)} parse error during conversion from string: ${addressProblem(text)}`,
  );
}

function cidrOf(text: string): Cidr {
  const network = parseNetwork(text);
  if (network !== undefined) return new Cidr(network);
  const words = 'network address parse error during conversion from string: ';
  throw new Error(`${words}${words}${networkProblem(text)}`);
}

const containsNetwork = (outer: Network, inner: Network): boolean =>
  inner.prefixLength >= outer.prefixLength && containsAddress(outer, masked(inner).address);

const within = (text: string, address: Address): boolean => {
  const network = parseNetwork(text);
  return network !== undefined && containsAddress(network, address);
};

const isLoopback = (address: Address): boolean => within('127.0.0.0/8', address) || within('::1/128', address);
const isLinkLocalUnicast = (address: Address): boolean =>
  within('169.254.0.0/16', address) || within('fe80::/10', address);
const isLinkLocalMulticast = (address: Address): boolean =>
  within('224.0.0.0/24', address) || within('ff02::/16', address);
const isMulticast = (address: Address): boolean => within('224.0.0.0/4', address) || within('ff00::/8', address);
const isBroadcast = ({ family, bits }: Address): boolean => family === 4 && bits === 0xffffffffn;

const isGlobalUnicast = (address: Address): boolean =>
  address.bits !== 0n &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !isBroadcast(address);
