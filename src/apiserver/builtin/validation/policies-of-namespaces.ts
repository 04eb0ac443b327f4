// What LimitRanges, ResourceQuotas, PriorityClasses and the Pod security labels of Namespaces must be.

import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, required } from '../../schema/field-errors.ts';
import { listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';
import { chosen } from './fields.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

export function limitRangeErrors(range: JsonObject): Errors {
  const types = new Set<string>();
  return objectsAt(objectAt(range, 'spec'), 'limits').flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const type = textAt(limit, 'type');
    const isTwice = types.has(type);
    types.add(type);
    return [
      ...typeErrors(`${path}.type`, type),
      ...(isTwice ? [duplicate(`${path}.type`, type)] : []),
      ...limitErrors(path, type, limit),
    ];
  });
}

const TYPES = new Set(['Container', 'PersistentVolumeClaim', 'Pod']);

function typeErrors(path: string, type: string): Errors {
  const names = qualifiedNameErrors(path, type);
  if (names.length > 0 || TYPES.has(type) || type.includes('/')) return names;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function limitErrors(path: string, type: string, limit: JsonObject): Errors {
  const holds = (key: string): boolean => Object.keys(objectAt(limit, key)).length > 0;
  if (type === 'PersistentVolumeClaim' && !('storage' in { ...objectAt(limit, 'min'), ...objectAt(limit, 'max') })) {
    return [
      required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    ];
  }
  if (type === 'Pod') {
    const why = "may not be specified when `type` is 'Pod'";
    return ['default', 'defaultRequest'].flatMap(key => (holds(key) ? [forbidden(`${path}.${key}`, why)] : []));
  }
  const names = ['max', 'min', 'default', 'defaultRequest'].flatMap(key => Object.keys(objectAt(limit, key)));
  return [...new Set(names)].sort().flatMap(name => orderErrors(path, name, limit));
}

/** Field, the larger and the smaller value with the words for them; told of in this order. */
const ORDERS = [
  ['min', 'min', 'min', 'max', 'max'],
  ['defaultRequest', 'defaultRequest', 'min', 'defaultRequest', 'default request'],
  ['defaultRequest', 'defaultRequest', 'defaultRequest', 'max', 'max'],
  ['defaultRequest', 'defaultRequest', 'defaultRequest', 'default', 'default limit'],
  ['default', 'min', 'min', 'default', 'default'],
  ['default', 'max', 'default', 'max', 'max'],
] as const;

const WORDS: Readonly<Record<string, string>> = { min: 'min', defaultRequest: 'default request', default: 'default' };

function orderErrors(path: string, name: string, limit: JsonObject): Errors {
  const of = (key: string): string | undefined => {
    const value = objectAt(limit, key)[name];
    return value === undefined ? undefined : String(value);
  };
  return ORDERS.flatMap(([field, shown, low, high, highWords]) => {
    const [a, b] = [of(low), of(high)];
    if (a === undefined || b === undefined || (nanoOf(a) ?? 0n) <= (nanoOf(b) ?? 0n)) return [];
    const value = field === 'min' ? a : (of(shown) ?? a);
    return [
      invalid(`${path}.${field}[${name}]`, value, `${WORDS[low]} value ${a} is greater than ${highWords} value ${b}`),
    ];
  });
}

const COUNTED =
  /^(pods|services|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims|services\.(nodeports|loadbalancers)|count\/.+)$/;
const COMPUTE =
  /^((requests|limits)\.)?(cpu|memory|ephemeral-storage)$|^requests\.(storage|[^/]+\/.+)$|^(limits|requests)\.hugepages-|^hugepages-/;

export function quotaErrors(quota: JsonObject): Errors {
  const spec = objectAt(quota, 'spec');
  const hard = objectAt(spec, 'hard');
  return [
    ...Object.entries(hard).flatMap(([name, value]) => hardErrors(`spec.hard[${name}]`, name, String(value))),
    ...scopeErrors(listAt(spec, 'scopes').map(String), Object.keys(hard)),
  ];
}

function hardErrors(path: string, name: string, value: string): Errors {
  const isStandard = COUNTED.test(name) || COMPUTE.test(name);
  const nano = nanoOf(value) ?? 0n;
  const shown = canonicalQuantity(value) ?? value;
  const names = qualifiedNameErrors(path, name);
  return [
    ...names,
    ...(names.length > 0 || name.includes('/') || isStandard
      ? []
      : [invalid(path, name, 'must be a standard resource type or fully qualified')]),
    ...(isStandard || name.includes('/') ? [] : [invalid(path, name, 'must be a standard resource for quota')]),
    ...(nano < 0n ? [invalid(path, shown, 'must be greater than or equal to 0')] : []),
    ...(COUNTED.test(name) && nano % 1_000_000_000n !== 0n ? [invalid(path, shown, 'must be an integer')] : []),
  ];
}

const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

const SCOPES = new Set([
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
]);

function scopeErrors(scopes: readonly string[], hard: readonly string[]): Errors {
  const isConflict = CONFLICTS.some(pair => pair.every(scope => scopes.includes(scope)));
  // Without requests there is nothing to count but the Pods.
  const isMisplaced = scopes.includes('BestEffort') && hard.some(name => name !== 'pods' && name !== 'count/pods');
  return [
    ...scopes.filter(scope => !SCOPES.has(scope)).map(() => invalid('spec.scopes', [...scopes], 'unsupported scope')),
    ...(isMisplaced ? [invalid('spec.scopes', [...scopes], 'unsupported scope applied to resource')] : []),
    ...(isConflict ? [invalid('spec.scopes', [...scopes], 'conflicting scopes')] : []),
  ];
}

const preemption = chosen('PreemptLowerPriority', 'Never');
const MOST_PRIORITY = 1_000_000_000;
const SYSTEM = new Set(['system-cluster-critical', 'system-node-critical']);

export function priorityClassErrors(priorityClass: JsonObject, old: JsonObject | undefined): Errors {
  const name = textAt(objectAt(priorityClass, 'metadata'), 'name');
  if (old !== undefined || SYSTEM.has(name)) return [];
  if (name.startsWith('system-')) {
    const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
    return [forbidden('metadata.name', why)];
  }
  const isHigh = (numberAt(priorityClass, 'value') ?? 0) > MOST_PRIORITY;
  const { preemptionPolicy: policy } = priorityClass;
  return [
    ...(isHigh ? [forbidden('value', `maximum allowed value of a user defined priority is ${MOST_PRIORITY}`)] : []),
    ...(policy === undefined ? [] : preemption('preemptionPolicy', policy, undefined)),
  ];
}

const SECURITY = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'];

export function namespaceErrors(namespace: JsonObject): Errors {
  const labels = objectAt(objectAt(namespace, 'metadata'), 'labels');
  return ['enforce', 'audit', 'warn'].flatMap(mode => {
    const level = labels[`${SECURITY}${mode}`];
    if (level === undefined || LEVELS.includes(String(level))) return [];
    return [invalid(`metadata.labels[${SECURITY}${mode}]`, level, `must be one of ${LEVELS.join(', ')}`)];
  });
}
