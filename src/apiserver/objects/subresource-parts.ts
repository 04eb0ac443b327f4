// Which part of an object a write through one of its subresources changes; the rest stays as it is stored.

import type { Json, JsonObject, Resource } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, without } from '../rules/json.ts';

/** The object to store, from the one that was sent and the stored one. */
type Part = (object: JsonObject, old: JsonObject, resource: Resource) => JsonObject;

const PARTS: Readonly<Record<string, Part>> = {
  status: (object, old, resource) =>
    resource.origin === 'custom'
      ? customStatus(object, old)
      : withStatus(withMetadataOf(object, old, resource), keptWith(object.status, old, resource)),
  finalize: (object, old) => {
    const finalizers = listAt(objectAt(object, 'spec'), 'finalizers');
    return { ...old, metadata: objectAt(object, 'metadata'), spec: finalizers.length === 0 ? {} : { finalizers } };
  },
  approval: (object, old, resource) => {
    const conditions = listAt(objectAt(object, 'status'), 'conditions').map(decided);
    return withStatus(withMetadataOf(object, old, resource), { ...objectAt(old, 'status'), conditions });
  },
  ephemeralcontainers: (object, old) => {
    const containers = objectAt(object, 'spec').ephemeralContainers;
    const rest = without(objectAt(old, 'spec'), 'ephemeralContainers');
    return { ...old, spec: { ...rest, ...present('ephemeralContainers', containers) } };
  },
  resize: (object, old) => ({ ...old, spec: { ...objectAt(old, 'spec'), ...resized(object, old) } }),
};

/** Undefined: the subresource is not written this way. */
export const partWrittenBy = (subresource: string): Part | undefined => PARTS[subresource];

/** A custom resource's metadata is not written through its status; a built-in kind's is (below). */
function customStatus(object: JsonObject, old: JsonObject): JsonObject {
  const managedFields = present('managedFields', objectAt(object, 'metadata').managedFields);
  return withStatus({ ...old, metadata: { ...objectAt(old, 'metadata'), ...managedFields } }, object.status);
}

/** Metadata that the status of a kind does not take along. */
const NOT_WITH_STATUS: Readonly<Record<string, readonly string[]>> = {
  pods: ['ownerReferences'],
  'deployments.apps': ['labels'],
};

/** The stored object with the sent metadata. */
function withMetadataOf(object: JsonObject, old: JsonObject, { storageName }: Resource): JsonObject {
  const kept = NOT_WITH_STATUS[storageName] ?? [];
  const before = objectAt(old, 'metadata');
  const stays = Object.fromEntries(kept.flatMap(key => Object.entries(present(key, before[key]))));
  return { ...old, metadata: { ...without(objectAt(object, 'metadata'), ...kept), ...stays } };
}

/** How well a Pod is served is worked out once: a status that does not say it has not forgotten it. */
function keptWith(status: Json | undefined, old: JsonObject, { storageName }: Resource): Json | undefined {
  if (storageName !== 'pods' || !isObject(status) || stringAt(status, 'qosClass') !== '') return status;
  return { ...status, ...present('qosClass', objectAt(old, 'status').qosClass) };
}

export function withStatus(object: JsonObject, status: Json | undefined): JsonObject {
  return status === undefined ? without(object, 'status') : { ...object, status };
}

function present(key: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}

/** Of each container that is there what it may use; of the rest nothing. */
function resized(object: JsonObject, old: JsonObject): JsonObject {
  const lists = ['containers', 'initContainers'].map(list => {
    const sent = listAt(objectAt(object, 'spec'), list).filter(isObject);
    const before = listAt(objectAt(old, 'spec'), list).filter(isObject);
    const next = before.map(container => {
      const same = sent.find(({ name }) => name === container.name);
      return same === undefined ? container : withResourcesOf(container, same);
    });
    return [list, next] as const;
  });
  return Object.fromEntries(lists.filter(([, containers]) => containers.length > 0));
}

const RESIZED = ['resources', 'resizePolicy'] as const;

function withResourcesOf(container: JsonObject, sent: JsonObject): JsonObject {
  const parts = RESIZED.map(key => present(key, sent[key]));
  return Object.assign({ ...container }, ...parts);
}

/** A decision without a status is a decision. */
function decided(condition: Json): Json {
  if (!isObject(condition) || stringAt(condition, 'status') !== '') return condition;
  return { ...condition, status: 'True' };
}
