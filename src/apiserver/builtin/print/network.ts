// Rows of Services, Ingresses and what stands behind them.

import type { Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { age, type Cells, countAt, labelsText, NONE, nameOf, orElse, selectorCell, specOf, statusOf } from './cells.ts';

const MAX_SHOWN = 3;

export const serviceCells: Cells = (service, nowMs) => {
  const spec = specOf(service);
  const ports = objectsAt(spec, 'ports').map(portText).join(',');
  return [
    nameOf(service),
    textAt(spec, 'type'),
    String(listAt(spec, 'clusterIPs')[0] ?? NONE),
    externalIp(service),
    orElse(ports, NONE),
    age(service, nowMs),
    labelsText(objectAt(spec, 'selector')),
  ];
};

function portText(port: JsonObject): string {
  const nodePort = countAt(port, 'nodePort');
  const number = nodePort > 0 ? `${countAt(port, 'port')}:${nodePort}` : `${countAt(port, 'port')}`;
  return `${number}/${textAt(port, 'protocol')}`;
}

function externalIp(service: JsonObject): string {
  const spec = specOf(service);
  const own = listAt(spec, 'externalIPs').map(String);
  if (spec.type === 'ExternalName') return textAt(spec, 'externalName');
  if (spec.type !== 'LoadBalancer') return orElse(own.join(','), NONE);
  return orElse([...balancers(service), ...own].join(','), '<pending>');
}

/** Addresses of the load balancer, sorted. */
function balancers(object: JsonObject): readonly string[] {
  const ingress = objectsAt(objectAt(statusOf(object), 'loadBalancer'), 'ingress');
  const addresses = ingress.map(entry => textAt(entry, 'ip') || textAt(entry, 'hostname'));
  return [...new Set(addresses.filter(address => address !== ''))].sort();
}

export const ingressCells: Cells = (ingress, nowMs) => {
  const spec = specOf(ingress);
  return [
    nameOf(ingress),
    spec.ingressClassName === undefined ? NONE : textAt(spec, 'ingressClassName'),
    hostsText(objectsAt(spec, 'rules')),
    balancers(ingress).join(','),
    objectsAt(spec, 'tls').length > 0 ? '80, 443' : '80',
    age(ingress, nowMs),
  ];
};

function hostsText(rules: readonly JsonObject[]): string {
  const hosts = rules.map(rule => textAt(rule, 'host')).filter(host => host !== '');
  const shown = hosts.slice(0, MAX_SHOWN).join(',');
  if (shown === '') return '*';
  return hosts.length >= MAX_SHOWN && rules.length > MAX_SHOWN
    ? `${shown} + ${rules.length - MAX_SHOWN} more...`
    : shown;
}

export const ingressClassCells: Cells = (ingressClass, nowMs) => {
  const spec = specOf(ingressClass);
  const annotations = objectAt(objectAt(ingressClass, 'metadata'), 'annotations');
  const isDefault = annotations['ingressclass.kubernetes.io/is-default-class'] === 'true';
  const name = isDefault ? `${nameOf(ingressClass)} (default)` : nameOf(ingressClass);
  return [name, textAt(spec, 'controller'), parametersText(spec.parameters), age(ingressClass, nowMs)];
};

function parametersText(parameters: Json | undefined): string {
  if (!isObject(parameters)) return NONE;
  const group = parameters.apiGroup === undefined ? '' : `.${textAt(parameters, 'apiGroup')}`;
  return `${textAt(parameters, 'kind')}${group}/${textAt(parameters, 'name')}`;
}

export const networkPolicyCells: Cells = (policy, nowMs) => [
  nameOf(policy),
  selectorCell(specOf(policy).podSelector),
  age(policy, nowMs),
];

export const endpointsCells: Cells = (endpoints, nowMs) => {
  const all = objectsAt(endpoints, 'subsets').flatMap(subset => {
    const ports = objectsAt(subset, 'ports');
    const addresses = objectsAt(subset, 'addresses').map(address => textAt(address, 'ip'));
    if (ports.length === 0) return addresses;
    return ports.flatMap(port => addresses.map(ip => `${ip}:${countAt(port, 'port')}`));
  });
  return [nameOf(endpoints), shortened(all, NONE), age(endpoints, nowMs)];
};

export const endpointSliceCells: Cells = (slice, nowMs) => {
  const ports = objectsAt(slice, 'ports').map(port => {
    const number = numberAt(port, 'port');
    if (number !== undefined) return String(number);
    return port.name === undefined ? '*' : textAt(port, 'name');
  });
  const addresses = objectsAt(slice, 'endpoints').flatMap(endpoint => listAt(endpoint, 'addresses').map(String));
  return [
    nameOf(slice),
    textAt(slice, 'addressType'),
    shortened(ports, UNSET_LIST),
    shortened(addresses, UNSET_LIST),
    age(slice, nowMs),
  ];
};

const UNSET_LIST = '<unset>';

/** The first three, and how many there are besides. */
function shortened(items: readonly string[], empty: string): string {
  if (items.length === 0) return empty;
  const shown = items.slice(0, MAX_SHOWN).join(',');
  return items.length > MAX_SHOWN ? `${shown} + ${items.length - MAX_SHOWN} more...` : shown;
}
