// Rows of kinds that one cluster has few of: quotas, devices, drivers of volumes, bindings of policies, levels of priority.

import type { Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { age, type Cells, isDeleting, NONE, nameOf, orElse, specOf, statusOf, UNSET } from './cells.ts';

/** Requests and limits each in a column of their own: `cpu: used/hard`. */
export const quotaCells: Cells = (quota, nowMs) => {
  const { hard, used } = { hard: objectAt(statusOf(quota), 'hard'), used: objectAt(statusOf(quota), 'used') };
  const names = Object.keys(hard).sort();
  const told = (isLimit: (name: string) => boolean): string =>
    names
      .filter(isLimit)
      .map(name => `${name}: ${orElse(textAt(used, name), '0')}/${textAt(hard, name)}`)
      .join(', ');
  const isLimit = (name: string): boolean => name.startsWith('limits');
  return [nameOf(quota), told(name => !isLimit(name)), told(isLimit), age(quota, nowMs)];
};

export const policyBindingCells: Cells = (binding, nowMs) => {
  const spec = specOf(binding);
  return [nameOf(binding), textAt(spec, 'policyName'), parameterText(spec.paramRef), age(binding, nowMs)];
};

function parameterText(ref: Json | undefined): string {
  if (!isObject(ref)) return UNSET;
  const name = textAt(ref, 'name');
  if (name === '') return goSelector(objectAt(ref, 'selector'));
  return `${orElse(textAt(ref, 'namespace'), '*')}/${name}`;
}

/** The real server prints the structure that it holds. */
function goSelector(selector: JsonObject): string {
  const labels = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => `${key}: ${value},`);
  const expressions = objectsAt(selector, 'matchExpressions').map(expression => {
    const values = listAt(expression, 'values').map(String).join(' ');
    const { key, operator } = { key: textAt(expression, 'key'), operator: textAt(expression, 'operator') };
    return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values}],},`;
  });
  const both = `MatchLabels:map[string]string{${labels.sort().join('')}},MatchExpressions:[]LabelSelectorRequirement`;
  return `&LabelSelector{${both}{${expressions.join('')}},}`;
}

export const driverCells: Cells = (driver, nowMs) => {
  const spec = specOf(driver);
  const audiences = objectsAt(spec, 'tokenRequests').map(request => textAt(request, 'audience'));
  return [
    nameOf(driver),
    spec.attachRequired !== false,
    spec.podInfoOnMount === true,
    spec.storageCapacity === true,
    orElse(audiences.join(','), UNSET),
    spec.requiresRepublish === true,
    orElse(listAt(spec, 'volumeLifecycleModes').map(String).join(','), UNSET),
    age(driver, nowMs),
  ];
};

export const driverNodeCells: Cells = (node, nowMs) => [
  nameOf(node),
  listAt(specOf(node), 'drivers').length,
  age(node, nowMs),
];

export const attachmentCells: Cells = (attachment, nowMs) => {
  const spec = specOf(attachment);
  return [
    nameOf(attachment),
    textAt(spec, 'attacher'),
    textAt(objectAt(spec, 'source'), 'persistentVolumeName'),
    textAt(spec, 'nodeName'),
    statusOf(attachment).attached === true,
    age(attachment, nowMs),
  ];
};

export const attributesClassCells: Cells = (attributes, nowMs) => [
  nameOf(attributes),
  textAt(attributes, 'driverName'),
  age(attributes, nowMs),
];

export const deviceClaimCells: Cells = (claim, nowMs) => [nameOf(claim), claimState(claim), age(claim, nowMs)];

function claimState(claim: JsonObject): string {
  const status = statusOf(claim);
  const deleted = isDeleting(claim) ? ['deleted'] : [];
  if (!isObject(status.allocation)) return isDeleting(claim) ? 'deleted' : 'pending';
  const reserved = listAt(status, 'reservedFor').length === 0 ? [] : ['reserved'];
  return [...deleted, 'allocated', ...reserved].join(',');
}

export const deviceSliceCells: Cells = (slice, nowMs) => {
  const spec = specOf(slice);
  const pool = textAt(objectAt(spec, 'pool'), 'name');
  return [nameOf(slice), textAt(spec, 'nodeName'), textAt(spec, 'driver'), pool, age(slice, nowMs)];
};

export const flowSchemaCells: Cells = (schema, nowMs) => {
  const spec = specOf(schema);
  const dangling = objectsAt(statusOf(schema), 'conditions').find(({ type }) => type === 'Dangling');
  return [
    nameOf(schema),
    textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name'),
    numberAt(spec, 'matchingPrecedence') ?? 0,
    orElse(textAt(objectAt(spec, 'distinguisherMethod'), 'type'), NONE),
    age(schema, nowMs),
    dangling === undefined ? '?' : textAt(dangling, 'status'),
  ];
};

export const priorityLevelCells: Cells = (level, nowMs) => {
  const spec = specOf(level);
  const limited = objectAt(spec, 'limited');
  const queuing = objectAt(objectAt(limited, 'limitResponse'), 'queuing');
  const orNone = (object: JsonObject, key: string): Json => numberAt(object, key) ?? NONE;
  return [
    nameOf(level),
    textAt(spec, 'type'),
    orNone(limited, 'nominalConcurrencyShares'),
    orNone(queuing, 'queues'),
    orNone(queuing, 'handSize'),
    orNone(queuing, 'queueLengthLimit'),
    age(level, nowMs),
  ];
};

export const componentCells: Cells = component => {
  const healthy = objectsAt(component, 'conditions').find(({ type }) => type === 'Healthy') ?? {};
  const states: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Unhealthy' };
  const state = states[textAt(healthy, 'status')] ?? 'Unknown';
  return [nameOf(component), state, textAt(healthy, 'message'), textAt(healthy, 'error')];
};

/** The real server prints an age for which there is no column. */
export const addressCells: Cells = (address, nowMs) => {
  const ref = objectAt(specOf(address), 'parentRef');
  const path = ['resource', 'namespace', 'name'].map(key => textAt(ref, key)).filter(part => part !== '');
  const group = textAt(ref, 'group');
  const parent = [group === '' ? path[0] : `${path[0]}.${group}`, ...path.slice(1)].join('/');
  return [nameOf(address), parent, age(address, nowMs)];
};

export const rangeCells: Cells = (range, nowMs) => [
  nameOf(range),
  listAt(specOf(range), 'cidrs').map(String).join(','),
  age(range, nowMs),
];

/** As a request meets them: the first that fits counts. */
export const byPrecedence = (schemas: readonly JsonObject[]): readonly JsonObject[] =>
  schemas.toSorted((a, b) => precedenceOf(a) - precedenceOf(b));

const precedenceOf = (schema: JsonObject): number => numberAt(specOf(schema), 'matchingPrecedence') ?? 0;
