// One write as admission sees it: the operation, the objects before and after, who asks, and in which words.

import { verdictOf } from '../access.ts';
import { apiVersionOf, type Call } from '../core.ts';
import { servedForm, storedForm } from '../objects/forms.ts';
import type { Json, JsonObject, Resource } from '../parts.ts';
import { isObject, objectAt, stringAt } from '../rules/json.ts';
import { Authorizer } from './authorizer-values.ts';
import { celOf, celOfRequest, type Inputs } from './expressions.ts';
import type { Labelled, Operation } from './rules.ts';

export interface AdmissionRequest {
  readonly call: Call;
  readonly operation: Operation;
  /** As the call's version shows it; undefined on a delete. */
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  /** What was asked for besides: CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
}

/** The options of a create or update, as its query says them. */
export function writeOptionsOf({ query }: Call, operation: Operation): JsonObject {
  const said = (key: string): JsonObject => {
    const value = query.get(key) ?? '';
    return value === '' ? {} : { [key]: value };
  };
  const dryRun = query.getAll('dryRun').filter(value => value !== '');
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...said('fieldManager'),
    ...said('fieldValidation'),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
}

/** Empty while a name is still to be made up, and for each object of a deleted collection. */
export function nameOf({ call, object }: AdmissionRequest): string {
  if (call.attributes.verb === 'deletecollection') return '';
  return call.path.name === '' ? stringAt(objectAt(object, 'metadata'), 'name') : call.path.name;
}

export function labelledBy({ call, object, old }: AdmissionRequest): Labelled {
  return { object, old, namespaceLabels: () => namespaceLabels(call, object ?? old) };
}

/** A Namespace is selected by its own labels. */
function namespaceLabels(call: Call, object: JsonObject | undefined): JsonObject | undefined {
  if (call.resource.storageName === 'namespaces') return objectAt(objectAt(object, 'metadata'), 'labels');
  const namespace = namespaceOf(call);
  return namespace === undefined ? undefined : objectAt(objectAt(namespace, 'metadata'), 'labels');
}

/** The Namespace that the call is in. */
export function namespaceOf({ core, path, resource }: Call): JsonObject | undefined {
  if (!resource.namespaced) return undefined;
  return core.store.get({ storage: 'namespaces', namespace: '', name: path.namespace })?.object;
}

/** Whether the subresource speaks a kind of its own, which has one version only. */
const isOwnKind = (call: Call, object: JsonObject): boolean => object.kind !== call.resource.kind;

/** The object in the version as which it was matched. */
export function inVersion(call: Call, object: JsonObject, matched: Resource): JsonObject {
  if (matched === call.resource || isOwnKind(call, object)) return object;
  return servedForm(storedForm(object, call.resource), matched);
}

export function fromVersion(call: Call, object: JsonObject, matched: Resource): JsonObject {
  if (matched === call.resource || isOwnKind(call, object)) return object;
  return servedForm(storedForm(object, matched), call.resource);
}

/** The `request` of an AdmissionReview, without its uid and objects: what expressions see of it. */
export function requestOf(request: AdmissionRequest, matched: Resource): JsonObject {
  const { call, operation, object, old, dryRun, options } = request;
  const { path, resource, identity } = call;
  const about = object ?? old ?? {};
  const own = isOwnKind(call, about) ? kindOf(about) : undefined;
  const part = path.subresource;
  const name = nameOf(request);
  return {
    kind: own ?? kindOfResource(matched),
    resource: resourceOf(matched),
    ...(part === '' ? {} : { subResource: part }),
    requestKind: own ?? kindOfResource(resource),
    requestResource: resourceOf(resource),
    ...(part === '' ? {} : { requestSubResource: part }),
    ...(name === '' ? {} : { name }),
    ...namespaceField(request),
    operation,
    userInfo: userOf(identity),
    dryRun,
    options,
  };
}

/** A Namespace that is written is in itself. */
function namespaceField(request: AdmissionRequest): JsonObject {
  const { call } = request;
  const namespace = call.resource.storageName === 'namespaces' ? nameOf(request) : call.path.namespace;
  return namespace === '' ? {} : { namespace };
}

function userOf({ name, uid, groups, extra }: Call['identity']): JsonObject {
  const said = Object.entries(extra ?? {}).map(([key, values]): [string, Json] => [key, [...values]]);
  return {
    username: name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(said.length === 0 ? {} : { extra: Object.fromEntries(said) }),
  };
}

function kindOf(object: JsonObject): JsonObject {
  const parts = stringAt(object, 'apiVersion').split('/');
  const [group = '', version = ''] = parts.length === 1 ? ['', ...parts] : parts;
  return { group, version, kind: stringAt(object, 'kind') };
}

const kindOfResource = ({ group, version, kind }: Resource): JsonObject => ({ group, version, kind });
const resourceOf = ({ group, version, plural }: Resource): JsonObject => ({ group, version, resource: plural });

/** What expressions see. */
export function inputsOf(request: AdmissionRequest, matched: Resource): Inputs {
  const { call, object, old } = request;
  const shown = (each: JsonObject | undefined): Json | undefined =>
    each === undefined ? undefined : typed(inVersion(call, each, matched), matched);
  return {
    object: celOf(shown(object)),
    oldObject: celOf(shown(old)),
    request: celOfRequest(requestOf(request, matched)),
    authorizer: new Authorizer(attributes => verdictOf(call.core, attributes), call.identity, call.attributes),
  };
}

/** With its kind, which stored objects of built-in kinds need not have. */
const typed = (object: JsonObject, matched: Resource): JsonObject =>
  isObject(object) && object.kind !== undefined
    ? object
    : { ...object, apiVersion: apiVersionOf(matched), kind: matched.kind };
