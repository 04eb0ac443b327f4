// What a Service says of its traffic: allowed only where its type gives it a meaning.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, notSupported } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { listAt, objectAt, textAt } from '../json.ts';
import { soundNetworkErrors } from './canonical-addresses.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const TRAFFIC = ['Cluster', 'Local'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const MOST_SECONDS = 86_400;

export function trafficErrors(spec: JsonObject): Errors {
  const { internalTrafficPolicy: inside = null, trafficDistribution: distribution = null } = spec;
  return [
    ...rangeErrors(spec),
    ...balancedErrors(spec),
    ...outsideErrors(spec),
    ...(inside === null || TRAFFIC.includes(String(inside))
      ? []
      : [notSupported('spec.internalTrafficPolicy', inside, TRAFFIC)]),
    ...(distribution === null || DISTRIBUTIONS.includes(String(distribution))
      ? []
      : [notSupported('spec.trafficDistribution', distribution, DISTRIBUTIONS)]),
  ];
}

const isBalanced = (spec: JsonObject): boolean => textAt(spec, 'type') === 'LoadBalancer';
const BALANCED_ALONE = "may only be used when `type` is 'LoadBalancer'";

function rangeErrors(spec: JsonObject): Errors {
  const ranges = listAt(spec, 'loadBalancerSourceRanges');
  // Spelt so by the real server.
  const path = 'spec.LoadBalancerSourceRanges';
  if (ranges.length > 0 && !isBalanced(spec)) return [forbidden(path, BALANCED_ALONE)];
  return ranges.flatMap((range, index) => soundNetworkErrors(`${path}[${index}]`, String(range).trim()));
}

function balancedErrors(spec: JsonObject): Errors {
  const { allocateLoadBalancerNodePorts: ports = null, loadBalancerClass: name = null } = spec;
  if (isBalanced(spec)) return typeof name === 'string' ? qualifiedNameErrors('spec.loadBalancerClass', name) : [];
  return [
    ...(ports === null ? [] : [forbidden('spec.allocateLoadBalancerNodePorts', BALANCED_ALONE)]),
    ...(name === null ? [] : [forbidden('spec.loadBalancerClass', BALANCED_ALONE)]),
  ];
}

function outsideErrors(spec: JsonObject): Errors {
  const policy = textAt(spec, 'externalTrafficPolicy');
  const isOutside = isBalanced(spec) || textAt(spec, 'type') === 'NodePort' || listAt(spec, 'externalIPs').length > 0;
  const path = 'spec.externalTrafficPolicy';
  if (policy !== '' && !isOutside) {
    return [invalid(path, policy, 'may only be set for externally-accessible services')];
  }
  const isKnown = policy === '' || TRAFFIC.includes(policy);
  return [...(isKnown ? [] : [notSupported(path, policy, TRAFFIC)]), ...healthErrors(spec, policy)];
}

function healthErrors(spec: JsonObject, policy: string): Errors {
  const port = countAt(spec, 'healthCheckNodePort');
  const isChecked = isBalanced(spec) && policy === 'Local';
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 || isChecked ? [] : [invalid('spec.healthCheckNodePort', port, why)];
}

export function affinityErrors(spec: JsonObject): Errors {
  const affinity = textAt(spec, 'sessionAffinity');
  if (affinity !== 'ClientIP') {
    return affinity === 'None' ? [] : [notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None'])];
  }
  const { timeoutSeconds } = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
  if (typeof timeoutSeconds !== 'number' || (timeoutSeconds > 0 && timeoutSeconds <= MOST_SECONDS)) return [];
  const why = `must be greater than 0 and less than ${MOST_SECONDS}`;
  return [invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', timeoutSeconds, why)];
}

/** A name outside is no address of the cluster. */
export function outsideNameErrors(spec: JsonObject): Errors {
  const why = 'may not be set for ExternalName services';
  const said = (key: string): boolean => listAt(spec, key).length > 0;
  return [
    ...(said('clusterIPs') || textAt(spec, 'clusterIP') !== '' ? [forbidden('spec.clusterIPs', why)] : []),
    ...(said('ipFamilies') ? [forbidden('spec.ipFamilies', why)] : []),
    ...(textAt(spec, 'ipFamilyPolicy') === '' ? [] : [forbidden('spec.ipFamilyPolicy', why)]),
  ];
}

/** `clusterIP` is the first of `clusterIPs`, and none is the only one. */
export function agreementErrors(spec: JsonObject): Errors {
  const [ip, ips] = [textAt(spec, 'clusterIP'), listAt(spec, 'clusterIPs')];
  const path = 'spec.clusterIPs';
  return [
    ...(ip === '' && ips.length > 0 ? [invalid(path, ips, 'must be empty when `clusterIP` is not specified')] : []),
    ...(ip !== '' && ips.length > 0 && ips[0] !== ip ? [invalid(path, ips, 'first value must match `clusterIP`')] : []),
    ...(ips.length > 1 && ips.includes('None') ? [invalid(path, ips, "'None' must be the first and only value")] : []),
    ...twiceErrors('spec.ipFamilies', listAt(spec, 'ipFamilies')),
  ];
}

const twiceErrors = (path: string, values: readonly Json[]): Errors =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [duplicate(`${path}[${index}]`, value)] : []));

/** While it is balanced, by whom does not change. */
export function balancerChangeErrors(service: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(service, 'spec'), objectAt(old, 'spec')];
  if (!isBalanced(spec) || !isBalanced(before)) return [];
  const [next, had] = [spec.loadBalancerClass ?? null, before.loadBalancerClass ?? null];
  return next === had ? [] : [invalid('spec.loadBalancerClass', next, 'may not change once set')];
}
