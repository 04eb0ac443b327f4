// What PriorityClasses and the Pod security labels of Namespaces must be.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { numberAt, objectAt, textAt } from '../json.ts';
import { chosen } from './fields.ts';
import type { Errors } from './texts.ts';

const preemption = chosen('PreemptLowerPriority', 'Never');
const MOST_PRIORITY = 1_000_000_000;
/** The values of those that are the system's own. */
const SYSTEM: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

function systemErrors(name: string, { value = 0, globalDefault = false }: JsonObject): Errors {
  const known = SYSTEM[name];
  if (known === value && globalDefault !== true) return [];
  const not = (what: string): Errors => {
    const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    return [forbidden('metadata.name', `${reserved}${what}`)];
  };
  if (known === undefined) return not(`${name} is not a known system priority class`);
  return known === value
    ? not(`globalDefault of ${name} PriorityClass must be false`)
    : not(`value of ${name} PriorityClass must be ${known}`);
}

export function priorityClassErrors(priorityClass: JsonObject, old: JsonObject | undefined): Errors {
  const name = textAt(objectAt(priorityClass, 'metadata'), 'name');
  if (old !== undefined) return [];
  if (name.startsWith('system-')) return systemErrors(name, priorityClass);
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
