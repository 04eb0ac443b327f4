// Services: what the server adds to them, and what goes when their type changes.

import { internalError, invalid } from '../answer/status.ts';
import { serviceErrors } from '../builtin/validation/services.ts';
import { type Call, type Core, kindSubjectOf } from '../core.ts';
import type { FieldError, Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt, without } from '../rules/json.ts';
import { invalidValue } from '../rules/metadata.ts';
import {
  freeIp,
  freePort,
  isInNetwork,
  isNodePort,
  networkAddress,
  nodePortsOf,
  takenIn,
  wantsHealthPort,
  wantsIp,
  wantsNodePorts,
} from './service-numbers.ts';
import type { Strategy } from './strategy.ts';

export const services: Strategy = {
  prepareCreate: (object, call) => allotted({ ...object, status: { loadBalancer: {} } }, undefined, call),
  prepareUpdate: (object, old, call) => allotted(statusOfType(carriedOver(object, old)), old, call),
};

/** What the stored Service has and the new one does not say stays; what its new type cannot have goes. */
function carriedOver(object: JsonObject, old: JsonObject): JsonObject {
  const [spec, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')];
  return { ...object, spec: droppedWithType(kept(spec, before), before) };
}

function kept(spec: JsonObject, before: JsonObject): JsonObject {
  if (!wantsIp(spec) || !wantsIp(before)) return spec;
  const [ip, ips] = [stringAt(spec, 'clusterIP'), stringsAt(spec, 'clusterIPs')];
  const isUnsaid = ip === '' && (ips.length === 0 || sameJson(ips, stringsAt(before, 'clusterIPs')));
  if (isUnsaid) return keptPorts({ ...spec, ...addressOf(before) }, before);
  // A client that knows only the older field means both.
  const isOlder = ip !== stringAt(before, 'clusterIP') && sameJson(ips, stringsAt(before, 'clusterIPs'));
  return keptPorts(isOlder ? newAddress(spec, ip) : newAddress(spec, ip === '' ? (ips[0] ?? '') : ip), before);
}

const addressOf = ({ clusterIP, clusterIPs }: JsonObject): JsonObject => ({
  ...(clusterIP === undefined ? {} : { clusterIP }),
  ...(clusterIPs === undefined ? {} : { clusterIPs }),
});

const newAddress = (spec: JsonObject, ip: string): JsonObject =>
  ip === '' ? spec : { ...spec, clusterIP: ip, clusterIPs: [ip] };

function keptPorts(spec: JsonObject, before: JsonObject): JsonObject {
  const withPorts = wantsNodePorts(spec) && wantsNodePorts(before) ? { ...spec, ports: samePorts(spec, before) } : spec;
  const { healthCheckNodePort } = before;
  const isKept = wantsHealthPort(spec) && wantsHealthPort(before) && healthCheckNodePort !== undefined;
  return isKept ? { healthCheckNodePort, ...withPorts } : withPorts;
}

function samePorts(spec: JsonObject, before: JsonObject): Json[] {
  const old = listAt(before, 'ports').filter(isObject);
  return listAt(spec, 'ports').map(port => {
    if (!isObject(port) || port.nodePort !== undefined) return port;
    const same = old.find(each => each.port === port.port && each.protocol === port.protocol);
    return same?.nodePort === undefined ? port : { ...port, nodePort: same.nodePort };
  });
}

/** Left-overs of the former type: a client that changes it cannot be expected to know them all. */
function droppedWithType(spec: JsonObject, before: JsonObject): JsonObject {
  let next = spec;
  const drop = (...keys: readonly string[]): void => {
    next = without(next, ...keys.filter(key => sameJson(next[key], before[key])));
  };
  if (!wantsIp(next)) drop('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  if (wantsNodePorts(before) && !wantsNodePorts(next)) next = { ...next, ports: listAt(next, 'ports').map(closed) };
  if (!wantsHealthPort(next)) drop('healthCheckNodePort');
  const type = stringAt(next, 'type');
  if (type !== 'LoadBalancer') drop('allocateLoadBalancerNodePorts', 'loadBalancerClass');
  const isOutside = type === 'LoadBalancer' || type === 'NodePort' || listAt(next, 'externalIPs').length > 0;
  if (!isOutside) drop('externalTrafficPolicy');
  return next;
}

const closed = (port: Json): Json => (isObject(port) ? without(port, 'nodePort') : port);

function statusOfType(object: JsonObject): JsonObject {
  const isBalanced = stringAt(objectAt(object, 'spec'), 'type') === 'LoadBalancer';
  return isBalanced ? object : { ...object, status: { ...objectAt(object, 'status'), loadBalancer: {} } };
}

/** With families, an address and ports, unless something else is wrong: that is refused first. */
function allotted(object: JsonObject, old: JsonObject | undefined, call: Call): JsonObject {
  const spec = objectAt(object, 'spec');
  const whole = { ...object, spec: wantsIp(spec) ? withFamilies(spec) : spec };
  if (serviceErrors(whole).length > 0) return whole;
  const { namespace, name } = objectAt(object, 'metadata');
  const own = { namespace: String(namespace), name: String(name) };
  const taken = takenIn(call.core, own);
  const before = objectAt(old, 'spec');
  const problems = [
    ...familyProblems(spec),
    ...addressProblems(call.core, spec, before, taken.ips),
    ...portProblems(call.core, spec, before, taken.ports),
  ];
  if (problems.length > 0) throw invalid(kindSubjectOf(call, own.name), problems);
  return { ...whole, spec: withPorts(withAddress(objectAt(whole, 'spec'), call, taken), call, taken) };
}

type Taken = ReturnType<typeof takenIn>;

/** This cluster has one family; without a selector a Service takes whatever there is. */
function withFamilies(spec: JsonObject): JsonObject {
  const isOpen = spec.clusterIP === 'None' && Object.keys(objectAt(spec, 'selector')).length === 0;
  return {
    ...spec,
    ipFamilies: spec.ipFamilies ?? (isOpen ? ['IPv4', 'IPv6'] : ['IPv4']),
    ipFamilyPolicy: spec.ipFamilyPolicy ?? (isOpen ? 'RequireDualStack' : 'SingleStack'),
    ...(spec.clusterIP === 'None' && listAt(spec, 'clusterIPs').length === 0 ? { clusterIPs: ['None'] } : {}),
  };
}

function familyProblems(spec: JsonObject): readonly FieldError[] {
  if (!wantsIp(spec) || spec.clusterIP === 'None') return [];
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    const why = 'this cluster is not configured for dual-stack services';
    return [invalidValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy, why)];
  }
  return stringsAt(spec, 'ipFamilies').flatMap((family, index) =>
    family === 'IPv4' ? [] : [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
  );
}

function addressProblems(
  core: Core,
  spec: JsonObject,
  before: JsonObject,
  taken: ReadonlySet<string>,
): readonly FieldError[] {
  const ip = stringAt(spec, 'clusterIP');
  if (!wantsIp(spec) || ip === '' || ip === 'None' || ip === stringAt(before, 'clusterIP')) return [];
  const refused = (why: string): readonly FieldError[] => [
    invalidValue('spec.clusterIPs', [ip], `failed to allocate IP ${ip}: ${why}`),
  ];
  if (!isInNetwork(core, ip)) return refused('the provided network does not match the current range');
  return taken.has(ip) ? refused('provided IP is already allocated') : [];
}

function portProblems(
  core: Core,
  spec: JsonObject,
  before: JsonObject,
  taken: ReadonlySet<number>,
): readonly FieldError[] {
  const own = listAt(before, 'ports').map(port => (isObject(port) ? port.nodePort : undefined));
  return listAt(spec, 'ports').flatMap((port, index) => {
    const number = isObject(port) ? port.nodePort : undefined;
    if (typeof number !== 'number' || number === 0 || own.includes(number)) return [];
    const isOurs = isNodePort(core, number);
    const why = isOurs
      ? 'provided port is already allocated'
      : `provided port is not in the valid range. The range of valid ports is ${nodePortsOf(core)}`;
    return isOurs && !taken.has(number) ? [] : [invalidValue(`spec.ports[${index}].nodePort`, number, why)];
  });
}

function withAddress(spec: JsonObject, { core, query }: Call, taken: Taken): JsonObject {
  if (!wantsIp(spec) || spec.clusterIP === 'None') return spec;
  const given = stringAt(spec, 'clusterIP') || stringsAt(spec, 'clusterIPs')[0];
  // What is only tried gets none that another could have.
  const ip = given ?? (query.has('dryRun') ? networkAddress(core) : freeIp(core, taken));
  if (ip === undefined) throw internalError('failed to allocate a serviceIP: range is full');
  return { ...spec, clusterIP: ip, clusterIPs: [ip] };
}

function withPorts(spec: JsonObject, { core }: Call, taken: Taken): JsonObject {
  const free = (): number => {
    const port = freePort(core, taken);
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
    return port;
  };
  const opened = (port: Json): Json =>
    isObject(port) && (port.nodePort ?? 0) === 0 ? { ...port, nodePort: free() } : port;
  const open = wantsNodePorts(spec) ? { ...spec, ports: listAt(spec, 'ports').map(opened) } : spec;
  const needsHealth = wantsHealthPort(open) && (open.healthCheckNodePort ?? 0) === 0;
  return needsHealth ? { ...open, healthCheckNodePort: free() } : open;
}
