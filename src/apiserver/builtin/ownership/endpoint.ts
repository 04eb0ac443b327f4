// Which fields a write through one endpoint can come to own: never the system's, and only those that it may change.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { typeNameOf } from '../shapes.ts';
import { tidy } from '../tidy.ts';
import { EMPTY, type FieldSet, isEmpty, placesOf, setOf, union, without } from './field-set.ts';

/** What the system writes is nobody's. `apiVersion` and `kind` say what the object is, not how it is. */
const SYSTEM = placesOf(
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
);

const STATUS = placesOf(['status']);

/** What a signing request asks for never changes, so nobody owns it. */
const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';
const SPEC_AND_STATUS = placesOf(['spec'], ['status']);

const ON_CREATE = { system: SYSTEM, status: union(SYSTEM, STATUS), request: union(SYSTEM, SPEC_AND_STATUS) };

/** What nobody comes to own by creating an object of this resource. */
export function neverOwned(resource: Resource): FieldSet {
  if (resource.storageName === REQUESTS) return ON_CREATE.request;
  return resource.subresources.includes('status') ? ON_CREATE.status : ON_CREATE.system;
}

/** The set without what this endpoint does not write. */
export function ownable(resource: Resource, subresource: string, fields: FieldSet): FieldSet {
  if (isEmpty(fields)) return fields;
  const kept = withoutMetadataItself(without(fields, SYSTEM));
  if (subresource === 'status') return onlyWrittenByStatus(resource, kept);
  if (subresource !== '') return kept;
  if (resource.storageName === REQUESTS) return without(kept, SPEC_AND_STATUS);
  return resource.subresources.includes('status') ? without(kept, STATUS) : kept;
}

function withoutMetadataItself(fields: FieldSet): FieldSet {
  const metadata = fields.children.get('f:metadata');
  if (!fields.self && metadata?.self !== true) return fields;
  const children = new Map(fields.children);
  if (metadata !== undefined) children.set('f:metadata', { self: false, children: metadata.children });
  if (metadata?.children.size === 0) children.delete('f:metadata');
  return { self: false, children };
}

/** Of a custom resource's metadata its status endpoint writes nothing. */
function onlyWrittenByStatus(resource: Resource, fields: FieldSet): FieldSet {
  const steps = resource.origin === 'custom' ? ['f:status'] : ['f:status', 'f:metadata'];
  return setOf(steps.map(step => [step, fields.children.get(step) ?? EMPTY] as const));
}

/** What is there before a create: Go's empty value of the type, in which some fields are already written. */
export function emptyObject(resource: Resource): JsonObject {
  const known = empty.get(resource);
  if (known !== undefined) return known;
  const made = newEmptyObject(resource);
  empty.set(resource, made);
  return made;
}

const empty = new WeakMap<Resource, JsonObject>();

function newEmptyObject(resource: Resource): JsonObject {
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  const named = { kind: resource.kind, apiVersion };
  const typeName = resource.origin === 'builtin' ? typeNameOf(apiVersion, resource.kind) : undefined;
  return typeName === undefined ? named : tidy(typeName, named).object;
}

/** Ownership is about what a client can say: the record of it is not part of it. */
export function withoutRecord(object: JsonObject): JsonObject {
  const metadata: Json | undefined = object.metadata;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return object;
  const { managedFields: _, ...rest } = metadata as JsonObject;
  return { ...object, metadata: rest };
}
