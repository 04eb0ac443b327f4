// What EndpointSlices must be: addresses of one family, each endpoint with what leads to it, ports by their names.

import { parseAddress } from '../../../base/ip.ts';
import type { JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../../schema/field-errors.ts';
import { isObject, listAt, objectsAt, textAt } from '../json.ts';
import { canonicalAddressErrors } from './canonical-addresses.ts';
import { reachErrors } from './endpoints.ts';
import { NONE } from './fields.ts';
import { type Errors, labelErrors, qualifiedNameErrors, subdomainErrors } from './texts.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['FQDN', 'IPv4', 'IPv6'];
const [MAX_ADDRESSES, MAX_PORTS, MAX_ENDPOINTS, MAX_HINTS] = [100, 20_000, 1000, 8];

export function endpointSliceErrors(slice: JsonObject, old: JsonObject | undefined): Errors {
  const type = textAt(slice, 'addressType');
  const moved = old !== undefined && textAt(old, 'addressType') !== type;
  if (moved) return [invalid('addressType', type, 'field is immutable')];
  const [endpoints, ports] = [objectsAt(slice, 'endpoints'), objectsAt(slice, 'ports')];
  return [
    ...typeErrors(type),
    ...(endpoints.length > MAX_ENDPOINTS
      ? [tooMany('endpoints', endpoints.length, MAX_ENDPOINTS)]
      : endpoints.flatMap((endpoint, index) => endpointErrors(`endpoints[${index}]`, endpoint, type))),
    ...(ports.length > MAX_PORTS ? [tooMany('ports', ports.length, MAX_PORTS)] : portsErrors('ports', ports)),
  ];
}

function typeErrors(type: string): Errors {
  if (type === '') return [required('addressType')];
  return TYPES.includes(type) ? NONE : [notSupported('addressType', type, TYPES)];
}

/** Each has a name of its own; one may have none. */
function portsErrors(path: string, ports: readonly JsonObject[]): Errors {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const [at, name, protocol] = [`${path}[${index}]`, textAt(port, 'name'), textAt(port, 'protocol')];
    const isTwice = names.has(name);
    names.add(name);
    const { appProtocol } = port;
    return [
      ...(name === '' ? NONE : labelErrors(`${at}.name`, name)),
      ...(isTwice ? [duplicate(`${at}.name`, name)] : NONE),
      ...(PROTOCOLS.includes(protocol) ? NONE : [notSupported(`${at}.protocol`, protocol, PROTOCOLS)]),
      ...(typeof appProtocol === 'string' ? qualifiedNameErrors(`${at}.appProtocol`, appProtocol) : NONE),
    ];
  });
}

function endpointErrors(path: string, endpoint: JsonObject, type: string): Errors {
  const { hostname, nodeName, hints } = endpoint;
  return [
    ...addressesErrors(`${path}.addresses`, listAt(endpoint, 'addresses').map(String), type),
    ...(typeof nodeName === 'string' ? subdomainErrors(`${path}.nodeName`, nodeName) : NONE),
    ...(typeof hostname === 'string' ? labelErrors(`${path}.hostname`, hostname) : NONE),
    ...(isObject(hints) ? hintErrors(`${path}.hints`, hints) : NONE),
  ];
}

function addressesErrors(path: string, addresses: readonly string[], type: string): Errors {
  if (addresses.length === 0) return [required(path, 'must contain at least 1 address')];
  if (addresses.length > MAX_ADDRESSES) return [tooMany(path, addresses.length, MAX_ADDRESSES)];
  return addresses.flatMap((address, index) => {
    const at = `${path}[${index}]`;
    if (type === 'FQDN') return subdomainErrors(at, address);
    return type === 'IPv4' || type === 'IPv6' ? addressErrors(at, address, type) : NONE;
  });
}

function addressErrors(path: string, address: string, type: 'IPv4' | 'IPv6'): Errors {
  const parsed = parseAddress(address);
  const isOther = parsed !== undefined && (parsed.family === 4) !== (type === 'IPv4');
  return [
    ...canonicalAddressErrors(path, address),
    // Of the family the real server tells at the list.
    ...(isOther
      ? [invalid(path.slice(0, path.lastIndexOf('[')), address, `must be an ${type} address`)]
      : reachErrors(path, address)),
  ];
}

function hintErrors(path: string, hints: JsonObject): Errors {
  return [
    ...namesErrors(`${path}.forZones`, objectsAt(hints, 'forZones'), () => NONE),
    ...namesErrors(`${path}.forNodes`, objectsAt(hints, 'forNodes'), subdomainErrors),
  ];
}

type NameCheck = (path: string, name: string) => Errors;

function namesErrors(path: string, list: readonly JsonObject[], check: NameCheck): Errors {
  if (list.length > MAX_HINTS) return [tooMany(path, list.length, MAX_HINTS)];
  const seen = new Set<string>();
  return list.flatMap((each, index) => {
    const [at, name] = [`${path}[${index}].name`, textAt(each, 'name')];
    const isTwice = seen.has(name);
    seen.add(name);
    return [...(isTwice ? [duplicate(at, name)] : NONE), ...check(at, name)];
  });
}
