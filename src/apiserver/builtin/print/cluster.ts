// Rows of what a cluster is made of: nodes, namespaces, leases, events, accounts, roles, certificates, definitions.

import { ageOf, humanDuration } from '../../answer/age.ts';
import type { JsonObject } from '../../parts.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { age, type Cells, countAt, NONE, nameOf, orElse, sinceAt, specOf, statusOf } from './cells.ts';

export const nameAndAge: Cells = (object, nowMs) => [nameOf(object), age(object, nowMs)];

/** Kinds without a printer of their own show the time itself. */
export const nameAndTime: Cells = object => [nameOf(object), textAt(objectAt(object, 'metadata'), 'creationTimestamp')];

export const namespaceCells: Cells = (object, nowMs) => [
  nameOf(object),
  textAt(statusOf(object), 'phase'),
  age(object, nowMs),
];

export const secretCells: Cells = (object, nowMs) => [
  nameOf(object),
  textAt(object, 'type'),
  Object.keys(objectAt(object, 'data')).length,
  age(object, nowMs),
];

export const configMapCells: Cells = (object, nowMs) => [
  nameOf(object),
  Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length,
  age(object, nowMs),
];

export const leaseCells: Cells = (object, nowMs) => [
  nameOf(object),
  textAt(specOf(object), 'holderIdentity'),
  age(object, nowMs),
];

export const nodeCells: Cells = (node, nowMs) => {
  const info = objectAt(statusOf(node), 'nodeInfo');
  const known = (key: string): string => orElse(textAt(info, key), '<unknown>');
  const architecture = textAt(info, 'architecture');
  return [
    nameOf(node),
    nodeStatus(node),
    nodeRoles(node),
    age(node, nowMs),
    textAt(info, 'kubeletVersion'),
    nodeAddress(node, 'InternalIP'),
    nodeAddress(node, 'ExternalIP'),
    known('osImage'),
    architecture === '' ? known('kernelVersion') : `${known('kernelVersion')} (${architecture})`,
    known('containerRuntimeVersion'),
  ];
};

function nodeStatus(node: JsonObject): string {
  const ready = objectsAt(statusOf(node), 'conditions').findLast(condition => condition.type === 'Ready');
  const health = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return specOf(node).unschedulable === true ? `${health},SchedulingDisabled` : health;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeRoles(node: JsonObject): string {
  const labels = objectAt(objectAt(node, 'metadata'), 'labels');
  const roles = Object.keys(labels).flatMap(key => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === 'kubernetes.io/role' ? [textAt(labels, key)] : [];
  });
  return orElse([...new Set(roles.filter(role => role !== ''))].sort().join(','), NONE);
}

function nodeAddress(node: JsonObject, type: string): string {
  const found = objectsAt(statusOf(node), 'addresses').find(address => address.type === type);
  return found === undefined ? NONE : textAt(found, 'address');
}

/** Events of both groups: where a field has two names, either. */
export const eventCells: Cells = (event, nowMs) => {
  const either = (a: string, b: string): string => orElse(textAt(event, a), textAt(event, b));
  const about = isObject(event.involvedObject) ? event.involvedObject : objectAt(event, 'regarding');
  const first = ageOf(firstSeen(event), nowMs);
  const kind = textAt(about, 'kind').toLowerCase();
  const name = textAt(about, 'name');
  return [
    lastSeen(event, first, nowMs),
    textAt(event, 'type'),
    textAt(event, 'reason'),
    name === '' ? kind : `${kind}/${name}`,
    textAt(about, 'fieldPath'),
    eventSource(event),
    either('message', 'note').trim(),
    first,
    eventCount(event),
    nameOf(event),
  ];
};

const firstSeen = (event: JsonObject): string =>
  textAt(event, 'firstTimestamp') || textAt(event, 'deprecatedFirstTimestamp') || textAt(event, 'eventTime');

function lastSeen(event: JsonObject, first: string, nowMs: number): string {
  if (isObject(event.series)) return sinceAt(event.series, 'lastObservedTime', nowMs);
  const last = textAt(event, 'lastTimestamp') || textAt(event, 'deprecatedLastTimestamp');
  return last === '' ? first : ageOf(last, nowMs);
}

function eventCount(event: JsonObject): number {
  if (isObject(event.series)) return countAt(event.series, 'count');
  return numberAt(event, 'count') || numberAt(event, 'deprecatedCount') || 1;
}

function eventSource(event: JsonObject): string {
  const source = isObject(event.source) ? event.source : objectAt(event, 'deprecatedSource');
  const controller = textAt(event, 'reportingComponent') || textAt(event, 'reportingController');
  const component = textAt(source, 'component') || controller;
  const instance = textAt(source, 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}

export const bindingCells: Cells = (binding, nowMs) => {
  const role = objectAt(binding, 'roleRef');
  const subjects = objectsAt(binding, 'subjects');
  const named = (kind: string): string =>
    subjects
      .filter(subject => subject.kind === kind)
      .map(subject => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/` : '') + textAt(subject, 'name'))
      .join(', ');
  return [
    nameOf(binding),
    `${textAt(role, 'kind')}/${textAt(role, 'name')}`,
    age(binding, nowMs),
    named('User'),
    named('Group'),
    named('ServiceAccount'),
  ];
};

export const signingRequestCells: Cells = (request, nowMs) => {
  const spec = specOf(request);
  const seconds = numberAt(spec, 'expirationSeconds');
  return [
    nameOf(request),
    age(request, nowMs),
    orElse(textAt(spec, 'signerName'), NONE),
    textAt(spec, 'username'),
    seconds === undefined ? NONE : humanDuration(seconds * 1000),
    signingStatus(request),
  ];
};

function signingStatus(request: JsonObject): string {
  const has = (type: string): boolean =>
    objectsAt(statusOf(request), 'conditions').some(condition => condition.type === type);
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const failed = has('Failed') ? ',Failed' : '';
  return `${verdict}${failed}${textAt(statusOf(request), 'certificate') === '' ? '' : ',Issued'}`;
}

export const apiServiceCells: Cells = (apiService, nowMs) => {
  const service = specOf(apiService).service;
  const where = isObject(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local';
  const available = objectsAt(statusOf(apiService), 'conditions').find(condition => condition.type === 'Available');
  const status = textAt(available ?? {}, 'status');
  const said =
    available === undefined ? 'Unknown' : status === 'True' ? status : `${status} (${textAt(available, 'reason')})`;
  return [nameOf(apiService), where, said, age(apiService, nowMs)];
};

export const priorityClassCells: Cells = (priorityClass, nowMs) => [
  nameOf(priorityClass),
  countAt(priorityClass, 'value'),
  priorityClass.globalDefault === true,
  age(priorityClass, nowMs),
  textAt(priorityClass, 'preemptionPolicy'),
];

export const runtimeClassCells: Cells = (runtimeClass, nowMs) => [
  nameOf(runtimeClass),
  textAt(runtimeClass, 'handler'),
  age(runtimeClass, nowMs),
];

export const webhookCells: Cells = (configuration, nowMs) => [
  nameOf(configuration),
  objectsAt(configuration, 'webhooks').length,
  age(configuration, nowMs),
];

export const admissionPolicyCells: Cells = (policy, nowMs) => {
  const spec = specOf(policy);
  const rules = objectsAt(spec, 'validations').length + objectsAt(spec, 'mutations').length;
  const param = spec.paramKind;
  const kind = isObject(param) ? `${textAt(param, 'apiVersion')}/${textAt(param, 'kind')}` : UNSET_PARAM;
  return [nameOf(policy), rules, kind, age(policy, nowMs)];
};

const UNSET_PARAM = '<unset>';
