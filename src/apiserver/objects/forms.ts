// One stored object in the form of each version that shows it: usually only the version's name differs.

import { apiVersionOf } from '../core.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { coreEvent, groupEvent } from './event-forms.ts';

interface Form {
  readonly toStored: (object: JsonObject) => JsonObject;
  readonly toServed: (object: JsonObject) => JsonObject;
}

/** Resources whose fields are named otherwise than they are stored. */
const FORMS: Readonly<Record<string, Form>> = {
  'events.k8s.io/v1/events': { toStored: coreEvent, toServed: groupEvent },
};

const formOf = ({ group, version, plural, origin }: Resource): Form | undefined =>
  origin === 'builtin' ? FORMS[`${group}/${version}/${plural}`] : undefined;

/** Whether the stored bytes can be shown under this resource's version as they are. */
export const showsStoredBytes = (resource: Resource): boolean => formOf(resource) === undefined;

/** The stored object as this resource's version shows it. */
export function servedForm(object: JsonObject, resource: Resource): JsonObject {
  const form = formOf(resource);
  if (form !== undefined) return form.toServed(object);
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** The object as it is stored, whatever version it was written in. */
export function storedForm(object: JsonObject, resource: Resource): JsonObject {
  const form = formOf(resource);
  if (form !== undefined) return form.toStored(object);
  const version = resource.storageVersion ?? resource.version;
  const apiVersion = apiVersionOf({ group: resource.group, version });
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
