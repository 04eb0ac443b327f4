// The types of `metadata`, which no schema of a kind says: what has another one is refused in the words of Go's reader.

import type { Json, JsonObject } from '../parts.ts';
import { goTimeProblem } from '../rules/go-time.ts';
import { isObject, jsonTypeName } from '../rules/json.ts';

type Reads = (value: Json, at: string) => string | undefined;

const wrong = (value: Json, at: string, type: string): string =>
  `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field ${at} of type ${type}`;

const typed =
  (type: string, isSo: (value: Json) => boolean): Reads =>
  (value, at) =>
    value === null || isSo(value) ? undefined : wrong(value, at, type);

const text = typed('string', value => typeof value === 'string');
/** Numbers are told with what they say. */
const whole: Reads = (value, at) => {
  if (typeof value !== 'number') return wrongUnlessNull(value, at, 'int64');
  const isWhole = Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
  return isWhole ? undefined : `json: cannot unmarshal number ${value} into Go struct field ${at} of type int64`;
};
const flag = typed('bool', value => typeof value === 'boolean');

function first<T>(values: readonly T[], problem: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = problem(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

const texts: Reads = (value, at) =>
  isObject(value)
    ? first(Object.values(value), each => text(each, at))
    : wrongUnlessNull(value, at, 'map[string]string');

const wrongUnlessNull: (value: Json, at: string, type: string) => string | undefined = (value, at, type) =>
  value === null ? undefined : wrong(value, at, type);

const listOf =
  (reads: Reads, type: string): Reads =>
  (value, at) =>
    Array.isArray(value) ? first(value, each => reads(each, at)) : wrongUnlessNull(value, at, `[]${type}`);

const struct =
  (type: string, fields: Readonly<Record<string, Reads>>): Reads =>
  (value, at) => {
    if (!isObject(value)) return wrongUnlessNull(value, at, `v1.${type}`);
    const below = at.slice(at.indexOf('.') + 1);
    return first(Object.entries(value), ([key, each]) =>
      Object.hasOwn(fields, key) ? fields[key]?.(each, `${type}.${below}.${key}`) : undefined,
    );
  };

const owner = struct('OwnerReference', {
  apiVersion: text,
  kind: text,
  name: text,
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
});

const managed = struct('ManagedFieldsEntry', {
  manager: text,
  operation: typed('v1.ManagedFieldsOperationType', value => typeof value === 'string'),
  apiVersion: text,
  fieldsType: text,
  subresource: text,
});

const FIELDS: Readonly<Record<string, Reads>> = {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: typed('types.UID', value => typeof value === 'string'),
  resourceVersion: text,
  generation: whole,
  deletionGracePeriodSeconds: whole,
  labels: texts,
  annotations: texts,
  ownerReferences: listOf(owner, 'v1.OwnerReference'),
  finalizers: listOf(text, 'string'),
  managedFields: listOf(managed, 'v1.ManagedFieldsEntry'),
};

/** The server sets these times itself, but it reads them first. */
export function timesProblem({ creationTimestamp, deletionTimestamp }: JsonObject): string | undefined {
  return first([creationTimestamp, deletionTimestamp], time =>
    typeof time === 'string' ? goTimeProblem(time, 'time') : undefined,
  );
}

/** Undefined: all of it has its type. */
export function metadataProblem(metadata: JsonObject): string | undefined {
  for (const key in metadata) {
    const reads = FIELDS[key];
    const problem = reads === undefined ? undefined : reads(metadata[key] ?? null, `ObjectMeta.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
