// The rules for `metadata` that hold for every kind: on create, and what may not change afterwards.

import type { FieldError, Json, JsonObject, Resource } from '../parts.ts';
import { labelKeyProblem, labelValueProblem } from '../request/label-parser.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt } from './json.ts';
import { nameProblem } from './names.ts';

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
  const name = stringAt(metadata, 'name');
  if (name === '') {
    const message = 'Required value: name or generateName is required';
    return [{ type: 'Required', field: 'metadata.name', message }];
  }
  const problem = nameProblem(resource, name);
  return problem === undefined ? [] : [invalidValue('metadata.name', name, problem)];
}

function labelErrors(labels: JsonObject): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const badKey = labelKeyProblem(key);
    if (badKey !== undefined) return [invalidValue('metadata.labels', key, badKey)];
    const badValue = labelValueProblem(String(value));
    return badValue === undefined ? [] : [invalidValue('metadata.labels', value, badValue)];
  });
}

function annotationErrors(annotations: JsonObject): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  const tooLong: FieldError = {
    type: 'TooLong',
    field: 'metadata.annotations',
    message: `Too long: may not be more than ${MAX_ANNOTATION_BYTES} bytes`,
  };
  const errors = entries.flatMap(([key]) => {
    const problem = labelKeyProblem(key.toLowerCase());
    return problem === undefined ? [] : [invalidValue('metadata.annotations', key, problem)];
  });
  return bytes > MAX_ANNOTATION_BYTES ? [...errors, tooLong] : errors;
}

function ownerErrors(owners: readonly Json[]): readonly FieldError[] {
  const errors = owners.flatMap(owner => (isObject(owner) ? missingIn(owner) : []));
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
  const missing = ['apiVersion', 'kind', 'name', 'uid'].filter(field => stringAt(owner, field) === '');
  const texts: Readonly<Record<string, string>> = { apiVersion: 'version must not be empty' };
  return missing.map(field =>
    invalidValue(`metadata.ownerReferences.${field}`, stringAt(owner, field), texts[field] ?? 'must not be empty'),
  );
}

function finalizerErrors(resource: Resource, finalizers: readonly string[]): readonly FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    const problem = labelKeyProblem(finalizer);
    if (problem !== undefined) return [invalidValue('metadata.finalizers', finalizer, problem)];
    const qualified = finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer);
    if (qualified || resource.origin === 'custom') return [];
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalidValue(`metadata.finalizers[${index}]`, finalizer, why)];
  });
}
