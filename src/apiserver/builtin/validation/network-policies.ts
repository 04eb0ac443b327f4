// What NetworkPolicies must be: whom they are for, which peers, blocks and ports they name.

import { containsAddress, type Network, parseNetwork } from '../../../base/ip.ts';
import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { soundNetworkErrors } from './canonical-addresses.ts';
import { selectorErrors } from './match-rules.ts';
import { type Errors, portErrors, portNameErrors } from './texts.ts';

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const TYPES = ['Ingress', 'Egress'];

export function networkPolicyErrors(policy: JsonObject): Errors {
  const spec = objectAt(policy, 'spec');
  return [
    ...selectorErrors('spec.podSelector', objectAt(spec, 'podSelector')),
    ...ruleErrors('spec.ingress', objectsAt(spec, 'ingress'), 'from'),
    ...ruleErrors('spec.egress', objectsAt(spec, 'egress'), 'to'),
    ...typeErrors(spec),
  ];
}

function typeErrors(spec: JsonObject): Errors {
  const types = listAt(spec, 'policyTypes');
  const path = 'spec.policyTypes';
  if (types.length > TYPES.length) return [invalid(path, types, 'may not specify more than two policyTypes')];
  return types.flatMap((type, index) =>
    TYPES.includes(String(type)) ? [] : [notSupported(`${path}[${index}]`, type, TYPES)],
  );
}

function ruleErrors(path: string, rules: readonly JsonObject[], peers: 'from' | 'to'): Errors {
  return rules.flatMap((rule, index) => [
    ...objectsAt(rule, 'ports').flatMap((port, at) => portRangeErrors(`${path}[${index}].ports[${at}]`, port)),
    ...objectsAt(rule, peers).flatMap((peer, at) => peerErrors(`${path}[${index}].${peers}[${at}]`, peer)),
  ]);
}

function portRangeErrors(path: string, each: JsonObject): Errors {
  const { port = null, endPort = null, protocol = null } = each;
  return [
    ...(protocol === null || PROTOCOLS.includes(String(protocol))
      ? []
      : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(typeof port === 'number' ? portErrors(`${path}.port`, port) : []),
    // The end comes first where the port has a name.
    ...(typeof endPort === 'number' ? endErrors(`${path}.endPort`, endPort, port) : []),
    ...(typeof port === 'string' ? portNameErrors(`${path}.port`, port) : []),
  ];
}

function endErrors(path: string, end: number, port: JsonObject[string]): Errors {
  if (port === null) return [invalid(path, end, 'may not be specified when `port` is not specified')];
  if (typeof port !== 'number') return [invalid(path, end, 'may not be specified when `port` is non-numeric')];
  // The real server shows the port here, not the end.
  if (end < port) return [invalid(path, port, 'must be greater than or equal to `port`')];
  return portErrors(path, end);
}

function peerErrors(path: string, peer: JsonObject): Errors {
  const { podSelector = null, namespaceSelector = null, ipBlock = null } = peer;
  const count = [podSelector, namespaceSelector, ipBlock].filter(isObject).length;
  if (count === 0) return [required(path, 'must specify a peer')];
  if (count > 1 && isObject(ipBlock)) return [forbidden(path, 'may not specify both ipBlock and another peer')];
  return [
    ...(isObject(podSelector) ? selectorErrors(`${path}.podSelector`, podSelector) : []),
    ...(isObject(namespaceSelector) ? selectorErrors(`${path}.namespaceSelector`, namespaceSelector) : []),
    ...(isObject(ipBlock) ? blockErrors(`${path}.ipBlock`, ipBlock) : []),
  ];
}

function blockErrors(path: string, block: JsonObject): Errors {
  const cidr = textAt(block, 'cidr');
  if (cidr === '') return [required(`${path}.cidr`)];
  const network = parseNetwork(cidr);
  const unsound = soundNetworkErrors(`${path}.cidr`, cidr);
  if (network === undefined || unsound.length > 0) return unsound;
  return listAt(block, 'except').flatMap((except, index) => {
    const at = `${path}.except[${index}]`;
    const part = parseNetwork(String(except));
    const wrong = soundNetworkErrors(at, String(except));
    if (part === undefined || wrong.length > 0) return wrong;
    return isPart(part, network) ? [] : [invalid(at, except, 'must be a strict subset of `cidr`')];
  });
}

const isPart = (part: Network, whole: Network): boolean =>
  containsAddress(whole, part.address) && part.prefixLength > whole.prefixLength;
