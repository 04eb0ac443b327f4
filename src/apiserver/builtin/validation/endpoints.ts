// What Endpoints must be, and which addresses nobody can mean to reach from elsewhere.

import { type Address, parseAddress } from '../../../base/ip.ts';
import type { JsonObject } from '../../parts.ts';
import { addressProblem, NO_ADDRESS } from '../../rules/address-forms.ts';
import { invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { objectsAt, textAt } from '../json.ts';
import { soundAddressErrors } from './canonical-addresses.ts';
import { type Errors, labelErrors, portErrors, qualifiedNameErrors, subdomainErrors } from './texts.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function endpointsErrors(endpoints: JsonObject): Errors {
  return objectsAt(endpoints, 'subsets').flatMap((subset, index) => subsetErrors(`subsets[${index}]`, subset));
}

function subsetErrors(path: string, subset: JsonObject): Errors {
  const ports = objectsAt(subset, 'ports');
  const lists = ['addresses', 'notReadyAddresses'] as const;
  const isEmpty = lists.every(key => objectsAt(subset, key).length === 0);
  return [
    ...(isEmpty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...lists.flatMap(key =>
      objectsAt(subset, key).flatMap((each, index) => addressErrors(`${path}.${key}[${index}]`, each)),
    ),
    ...ports.flatMap((port, index) => onePort(`${path}.ports[${index}]`, port, ports.length)),
  ];
}

function addressErrors(path: string, address: JsonObject): Errors {
  const [ip = '', hostname = '', nodeName = ''] = ['ip', 'hostname', 'nodeName'].map(key => textAt(address, key));
  return [
    ...soundAddressErrors(`${path}.ip`, ip),
    ...(hostname === '' ? [] : labelErrors(`${path}.hostname`, hostname)),
    ...(nodeName === '' ? [] : subdomainErrors(`${path}.nodeName`, nodeName)),
    // The real server reads it twice, too.
    ...(addressProblem(ip) === NO_ADDRESS
      ? [invalid(`${path}.ip`, ip, 'must be a valid IP address')]
      : reachErrors(`${path}.ip`, ip)),
  ];
}

interface Range {
  readonly holds: (address: Address) => boolean;
  readonly why: string;
}

const inFour =
  (network: number, prefixLength: number) =>
  ({ family, bits }: Address): boolean =>
    family === 4 && bits >> BigInt(32 - prefixLength) === BigInt(network);

const inSix =
  (network: bigint, prefixLength: number) =>
  ({ family, bits }: Address): boolean =>
    family === 6 && bits >> BigInt(128 - prefixLength) === network;

const eitherOf =
  (...ranges: readonly Range['holds'][]): Range['holds'] =>
  address =>
    ranges.some(holds => holds(address));

const UNREACHABLE: readonly Range[] = [
  { holds: inFour(0, 32), why: 'may not be unspecified (0.0.0.0)' },
  { holds: inSix(0n, 128), why: 'may not be unspecified (::)' },
  { holds: eitherOf(inFour(127, 8), inSix(1n, 128)), why: 'may not be in the loopback range (127.0.0.0/8, ::1/128)' },
  {
    holds: eitherOf(inFour(0xa9fe, 16), inSix(0x3fan, 10)),
    why: 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    holds: eitherOf(inFour(0xe00000, 24), inSix(0xff02n, 16)),
    why: 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
];

/** Of an address: why others cannot reach it. */
export function reachErrors(path: string, ip: string): Errors {
  const address = parseAddress(ip);
  if (address === undefined) return [];
  return UNREACHABLE.flatMap(({ holds, why }) => (holds(address) ? [invalid(path, ip, why)] : []));
}

function onePort(path: string, port: JsonObject, count: number): Errors {
  const [name, protocol] = [textAt(port, 'name'), textAt(port, 'protocol')];
  const { appProtocol } = port;
  return [
    ...(count > 1 && name === '' ? [required(`${path}.name`)] : []),
    ...(name === '' ? [] : labelErrors(`${path}.name`, name)),
    ...portErrors(`${path}.port`, countAt(port, 'port')),
    ...(PROTOCOLS.includes(protocol) ? [] : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(typeof appProtocol === 'string' ? qualifiedNameErrors(`${path}.appProtocol`, appProtocol) : []),
  ];
}
