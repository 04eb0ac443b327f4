// The rules for `metadata` that hold for every kind: on create, and what may not change afterwards.

import type { FieldError, Json, JsonObject, Resource } from '../parts.ts';
import { labelKeyProblems, labelValueProblems } from '../request/label-rules.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt } from './json.ts';
import { basisProblems, nameProblems } from './names.ts';

const MAX_ANNOTATION_BYTES = 256 * 1024;
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** What is wrong with an object's metadata by itself. */
export function metadataErrors(resource: Resource, object: JsonObject): readonly FieldError[] {
  const metadata = objectAt(object, 'metadata');
  return [
    ...nameErrors(resource, metadata),
    ...labelErrors(objectAt(metadata, 'labels')),
    ...annotationErrors(objectAt(metadata, 'annotations')),
    ...ownerErrors(listAt(metadata, 'ownerReferences')),
    ...finalizerErrors(resource, stringsAt(metadata, 'finalizers')),
  ];
}

/** What an update may not do to metadata. */
export function metadataUpdateErrors(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [next, before] = [objectAt(object, 'metadata'), objectAt(old, 'metadata')];
  const immutable = [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ];
  const changed = immutable.filter(field => !sameJson(next[field], before[field]));
  return [...changed.map(field => immutableError(`metadata.${field}`, next[field])), ...newFinalizers(next, before)];
}

/** `Invalid value: "x": why`. */
export function invalidValue(field: string, value: Json | undefined, why: string): FieldError {
  return { type: 'Invalid', field, message: `Invalid value: ${JSON.stringify(value ?? '')}: ${why}` };
}

export const immutableError = (field: string, value: Json | undefined): FieldError =>
  invalidValue(field, value, 'field is immutable');

function newFinalizers(next: JsonObject, before: JsonObject): readonly FieldError[] {
  if (before.deletionTimestamp === undefined) return [];
  const known = new Set(stringsAt(before, 'finalizers'));
  const added = stringsAt(next, 'finalizers').filter(finalizer => !known.has(finalizer));
  if (added.length === 0) return [];
  const found = `[]string{${added.map(finalizer => JSON.stringify(finalizer)).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [{ type: 'Forbidden', field: 'metadata.finalizers', message: `Forbidden: ${why}` }];
}

function nameErrors(resource: Resource, metadata: JsonObject): readonly FieldError[] {
  const [name, base] = [stringAt(metadata, 'name'), stringAt(metadata, 'generateName')];
  const bad = base === '' ? [] : basisProblems(resource, base);
  const ofBase = bad.map(why => invalidValue('metadata.generateName', base, why));
  if (name === '') {
    const message = 'Required value: name or generateName is required';
    return [...ofBase, { type: 'Required', field: 'metadata.name', message }];
  }
  return [...ofBase, ...nameProblems(resource, name).map(why => invalidValue('metadata.name', name, why))];
}

function labelErrors(labels: JsonObject): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyProblems(key).map(why => invalidValue('metadata.labels', key, why)),
    ...labelValueProblems(String(value)).map(why => invalidValue('metadata.labels', value, why)),
  ]);
}

function annotationErrors(annotations: JsonObject): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  const tooLong: FieldError = {
    type: 'TooLong',
    field: 'metadata.annotations',
    message: `Too long: may not be more than ${MAX_ANNOTATION_BYTES} bytes`,
  };
  const errors = entries.flatMap(([key]) =>
    labelKeyProblems(key.toLowerCase()).map(why => invalidValue('metadata.annotations', key, why)),
  );
  return bytes > MAX_ANNOTATION_BYTES ? [...errors, tooLong] : errors;
}

function ownerErrors(owners: readonly Json[]): readonly FieldError[] {
  const errors = owners.flatMap(owner => (isObject(owner) ? [...missingIn(owner), ...eventIn(owner)] : []));
  const controllers = owners.filter(owner => isObject(owner) && owner.controller === true);
  if (controllers.length <= 1) return errors;
  const names = controllers.map(owner =>
    isObject(owner) ? `${stringAt(owner, 'kind')}/${stringAt(owner, 'name')}` : '',
  );
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${names[0]} and ${names[1]}`;
  return [
    ...errors,
    { type: 'Invalid', field: 'metadata.ownerReferences', message: `Invalid value: ${JSON.stringify(owners)}: ${why}` },
  ];
}

/** Kubernetes names these fields without an index. */
function missingIn(owner: JsonObject): readonly FieldError[] {
  const isMissing = (field: string): boolean => stringAt(owner, field) === '';
  const missing = ['apiVersion', 'kind', 'name', 'uid'].filter(isMissing);
  if (!isMissing('apiVersion') && !VERSION.test(stringAt(owner, 'apiVersion'))) missing.unshift('apiVersion');
  const texts: Readonly<Record<string, string>> = { apiVersion: 'version must not be empty' };
  return missing.map(field =>
    invalidValue(`metadata.ownerReferences.${field}`, stringAt(owner, field), texts[field] ?? 'must not be empty'),
  );
}

/** A version, after a group or without one. */
const VERSION = /^(?:[^/]*\/)?[^/]+$/;

function eventIn(owner: JsonObject): readonly FieldError[] {
  if (owner.apiVersion !== 'v1' || owner.kind !== 'Event') return [];
  return [invalidValue('metadata.ownerReferences', owner, '/v1, Kind=Event is disallowed from being an owner')];
}

/** First what every kind asks of all finalizers, then what the built-in ones ask besides. */
function finalizerErrors(resource: Resource, finalizers: readonly string[]): readonly FieldError[] {
  if (finalizers.length === 0) return [];
  const field = 'metadata.finalizers';
  const errors = finalizers.flatMap(name => labelKeyProblems(name).map(why => invalidValue(field, name, why)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(field, [...finalizers], 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return resource.origin === 'custom' ? errors : [...errors, ...unqualified(finalizers)];
}

function unqualified(finalizers: readonly string[]): readonly FieldError[] {
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, name, why)],
  );
}
