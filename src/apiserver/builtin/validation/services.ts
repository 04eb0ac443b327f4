// What Services and EndpointSlices must be.

import { parseAddress } from '../../../base/ip.ts';
import type { JsonObject } from '../../parts.ts';
import { NO_ADDRESS } from '../../rules/address-forms.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { soundAddressErrors } from './canonical-addresses.ts';
import { reachErrors } from './endpoints.ts';
import { affinityErrors, agreementErrors, outsideNameErrors, trafficErrors } from './service-policies.ts';
import {
  type Errors,
  labelErrors,
  labelMapErrors,
  portErrors,
  portNameErrors,
  qualifiedNameErrors,
  subdomainErrors,
} from './texts.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const FAMILIES = ['IPv4', 'IPv6'];

export function serviceErrors(service: JsonObject): Errors {
  const spec = objectAt(service, 'spec');
  const type = textAt(spec, 'type');
  return [
    ...portListErrors(spec, type),
    ...(type === 'ExternalName' ? externalErrors(spec) : []),
    ...labelMapErrors('spec.selector', objectAt(spec, 'selector')),
    ...affinityErrors(spec),
    ...externalIpErrors(spec),
    ...(TYPES.includes(type) ? [] : [notSupported('spec.type', type, TYPES)]),
    ...trafficErrors(spec),
    ...(type === 'ExternalName' ? [] : agreementErrors(spec)),
    ...addressErrors(spec),
    ...familyErrors(spec),
    ...balancerErrors(objectAt(objectAt(service, 'status'), 'loadBalancer')),
  ];
}

function portListErrors(spec: JsonObject, type: string): Errors {
  const ports = objectsAt(spec, 'ports');
  const needsPorts = spec.clusterIP !== 'None' && type !== 'ExternalName';
  const names = new Set<string>();
  const seen = new Set<string>();
  return [
    ...(needsPorts && ports.length === 0 ? [required('spec.ports')] : []),
    ...ports.flatMap((port, index) => onePort(`spec.ports[${index}]`, port, { count: ports.length, names })),
    ...ports.flatMap((port, index) => (type === 'ClusterIP' ? closedPort(`spec.ports[${index}]`, port) : [])),
    ...ports.flatMap((port, index) => twice(`spec.ports[${index}]`, port, seen)),
  ];
}

interface Among {
  readonly count: number;
  readonly names: Set<string>;
}

function onePort(path: string, port: JsonObject, { count, names }: Among): Errors {
  const { targetPort, appProtocol } = port;
  const [name, protocol] = [textAt(port, 'name'), textAt(port, 'protocol')];
  const isTwice = name !== '' && names.has(name);
  names.add(name);
  return [
    ...(count > 1 && name === '' ? [required(`${path}.name`)] : []),
    ...(name === '' ? [] : labelErrors(`${path}.name`, name)),
    ...(isTwice ? [duplicate(`${path}.name`, name)] : []),
    ...portErrors(`${path}.port`, countAt(port, 'port')),
    ...(PROTOCOLS.includes(protocol) ? [] : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(typeof targetPort === 'number' ? portErrors(`${path}.targetPort`, targetPort) : []),
    ...(typeof targetPort === 'string' ? portNameErrors(`${path}.targetPort`, targetPort) : []),
    ...(typeof appProtocol === 'string' ? qualifiedNameErrors(`${path}.appProtocol`, appProtocol) : []),
  ];
}

const closedPort = (path: string, port: JsonObject): Errors =>
  (port.nodePort ?? 0) === 0 ? [] : [forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")];

function twice(path: string, port: JsonObject, seen: Set<string>): Errors {
  const [protocol, number] = [textAt(port, 'protocol'), countAt(port, 'port')];
  const key = `${protocol}/${number}`;
  const isTwice = seen.has(key);
  seen.add(key);
  const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
  return isTwice ? [duplicate(path, shown)] : [];
}

function externalErrors(spec: JsonObject): Errors {
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  const named = name === '' ? [required('spec.externalName')] : subdomainErrors('spec.externalName', name);
  return [...outsideNameErrors(spec), ...named];
}

function externalIpErrors(spec: JsonObject): Errors {
  return listAt(spec, 'externalIPs').flatMap((ip, index) => {
    const path = `spec.externalIPs[${index}]`;
    const wrong = soundAddressErrors(path, String(ip));
    return wrong.length > 0 ? wrong : reachErrors(path, String(ip));
  });
}

function addressErrors(spec: JsonObject): Errors {
  const [type, ips] = [textAt(spec, 'type'), addressesOf(spec)];
  if (ips[0] === 'None' && (type === 'NodePort' || type === 'LoadBalancer')) {
    return [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
  }
  return ips.flatMap((ip, index) =>
    (ip === 'None' && index === 0) || parseAddress(ip) !== undefined
      ? []
      : [invalid(`spec.clusterIPs[${index}]`, ip, NO_ADDRESS)],
  );
}

function addressesOf(spec: JsonObject): readonly string[] {
  const ips = listAt(spec, 'clusterIPs').filter(ip => typeof ip === 'string');
  const ip = textAt(spec, 'clusterIP');
  return ips.length > 0 || ip === '' ? ips : [ip];
}

function familyErrors(spec: JsonObject): Errors {
  const policy = textAt(spec, 'ipFamilyPolicy');
  return [
    ...listAt(spec, 'ipFamilies').flatMap((family, index) =>
      FAMILIES.includes(String(family)) ? [] : [notSupported(`spec.ipFamilies[${index}]`, family, FAMILIES)],
    ),
    ...(policy === '' || POLICIES.includes(policy) ? [] : [notSupported('spec.ipFamilyPolicy', policy, POLICIES)]),
  ];
}

function balancerErrors(balancer: JsonObject): Errors {
  return objectsAt(balancer, 'ingress').flatMap((ingress, index) => {
    const ip = textAt(ingress, 'ip');
    const path = `status.loadBalancer.ingress[${index}].ip`;
    return ip === '' || parseAddress(ip) !== undefined ? [] : [invalid(path, ip, NO_ADDRESS)];
  });
}
