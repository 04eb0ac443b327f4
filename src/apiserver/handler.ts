// The request handler: finds out what is asked and by whom, asks whether they may, and lets the verb answer.

import type { ApiResponse } from '../kube/transport.ts';
import { authorize, identityOf, type ServedRequest, type ServedResponse, verbOf } from './access.ts';
import { inLines, madePretty } from './answer/pretty.ts';
import { answer, bytesOf, objectAnswer, textAnswer, withHeaders } from './answer/render.ts';
import { badRequest, methodNotAllowed, noSuchResource, notSupported, Refusal, statusOf } from './answer/status.ts';
import { warningHeader } from './answer/warnings.ts';
import type { Call, Core } from './core.ts';
import { deprecationOf } from './objects/deprecated.ts';
import { answerOther } from './other-paths.ts';
import type { Attributes, JsonObject, Resource } from './parts.ts';
import { type Format, wantedFormat } from './request/accept.ts';
import { truthy } from './request/list-options.ts';
import { isOfNothing, parsePath, type ResourcePath } from './request/path.ts';
import { queryOf } from './request/query.ts';
import { goDurationProblem } from './rules/go-duration.ts';
import { answerSubresource } from './subresources/route.ts';
import { answerComponents } from './verbs/components.ts';
import { createObject } from './verbs/create.ts';
import { checkPathName } from './verbs/decode.ts';
import { deleteObject } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { patchObject } from './verbs/patch.ts';
import { getObject, listObjects } from './verbs/read.ts';
import { answerVirtual } from './verbs/review.ts';
import { updateObject } from './verbs/update.ts';
import { watchObjects } from './verbs/watch.ts';

/** Answers one request; every refusal is an answer too. */
export async function handle(core: Core, request: ServedRequest): Promise<ServedResponse> {
  const response = await answered(core, request);
  core.requests.add(request.method, response.status);
  const id = core.auditIds.of(request.headers['audit-id']);
  return withHeaders(response, { 'audit-id': id });
}

async function answered(core: Core, request: ServedRequest): Promise<ServedResponse> {
  const warnings: string[] = [];
  try {
    return withWarnings(madePretty(request, await route(core, request, warnings)), warnings);
  } catch (error) {
    return withWarnings(madePretty(request, refusalAnswer(core, request, error)), warnings);
  }
}

async function route(core: Core, request: ServedRequest, warnings: string[]): Promise<ServedResponse> {
  const path = parsePath(request.path);
  if (path === undefined) return unreadable();
  if (request.path === '*' && request.otherMethod === 'OPTIONS')
    return { status: 200, headers: {}, body: new Uint8Array() };
  if (path.kind === 'resource' && isOfNothing(path)) return brokenOff(request.path);
  const query = queryOf(request.query);
  checkTimeout(path, query);
  const identity = await identityOf(core, request);
  if (path.kind === 'other') return answerOther({ core, request, query, identity });

  const attributes = attributesOf(path, query, verbOf(request, path, query.get('watch')), identity);
  authorize(core, attributes);
  const resource = core.registry.find(path.group, path.version, path.plural);
  if (resource === undefined) return unknownResource(core, path);
  checkScope(resource, path);
  checkMethod(request, resource, path);
  return answerCall({ core, request, identity, path, query, resource, attributes, warnings });
}

/** Requests that may last as long as they like have no deadline to be read. */
const LASTING: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** A deadline that cannot be read is told of before anything else, even who asks. */
function checkTimeout(path: ReturnType<typeof parsePath>, query: URLSearchParams): void {
  const timeout = query.get('timeout');
  if (timeout === null || timeout === '' || truthy(query.get('watch'))) return;
  if (path?.kind === 'resource' && LASTING.has(path.subresource)) return;
  const problem = goDurationProblem(timeout);
  if (problem !== undefined) throw badRequest(`invalid timeout specified in the request URL - ${problem}`);
}

function attributesOf(
  path: ResourcePath,
  query: URLSearchParams,
  verb: string,
  identity: Attributes['identity'],
): Attributes {
  const { group, version, plural, subresource, name, namespace } = path;
  return {
    identity,
    verb,
    group,
    version,
    resource: plural,
    subresource,
    // As the real server: rights on one Namespace are rights in it.
    namespace: plural === 'namespaces' && group === '' ? name : namespace,
    name,
    path: '',
    fieldSelector: query.get('fieldSelector') ?? '',
    labelSelector: query.get('labelSelector') ?? '',
  };
}

/** No address at all: nobody asks further. */
const unreadable = (): ApiResponse => ({
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: bytesOf('400 Bad Request'),
});

/** As the real server, in whose words it ends before anything else is looked at. */
function brokenOff(path: string): ApiResponse {
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
  const answer = textAnswer(500, `Internal Server Error: ${JSON.stringify(path)}: ${why}\n`);
  const { 'cache-control': _, ...headers } = answer.headers;
  return { ...answer, headers };
}

/** A resource that is not served: the words depend on whether its group is one of the built-in ones. */
function unknownResource(core: Core, { group }: ResourcePath): ApiResponse {
  if (core.registry.isBuiltin(group)) throw noSuchResource();
  return textAnswer(404, '404 page not found\n');
}

/** Custom resources answer a HEAD; and at an old address all that is asked is a watch to them. */
function checkMethod({ method, otherMethod }: ServedRequest, { origin }: Resource, path: ResourcePath): void {
  if (path.watch && path.subresource !== '') throw noSuchResource();
  if (origin === 'custom' || path.subresource === 'proxy') return;
  if (otherMethod !== undefined || (path.watch && method !== 'GET')) throw methodNotAllowed();
}

function checkScope(resource: Resource, path: ResourcePath): void {
  if (!resource.namespaced && path.namespace !== '') throw noSuchResource();
  if (resource.namespaced && path.namespace === '' && path.name !== '') throw noSuchResource();
}

type Verb = (call: Call) => ApiResponse | Promise<ApiResponse>;

const VERBS: Readonly<Record<string, Verb>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

async function answerCall(call: Call): Promise<ServedResponse> {
  const { path, resource, attributes } = call;
  warnOfAge(call);
  if (path.subresource !== '') return answerSubresource(call);
  if (resource.storageName === 'componentstatuses') return answerComponents(call);
  if (resource.virtual === true && attributes.verb === 'create') return answerVirtual(call);
  if (resource.virtual === true && path.name !== '') throw noSuchResource();
  const verb = verbFor(call);
  // An update says first that its object has another name.
  if (attributes.verb !== 'update') checkPathName(call);
  return verb(call);
}

function warnOfAge({ resource, attributes: { verb }, warnings }: Call): void {
  const deprecation = deprecationOf(resource);
  if (deprecation !== undefined && (verb === 'watch' || resource.verbs.includes(verb))) warnings.push(deprecation);
}

/** Who answers; refused where the resource has no such verb at this address. */
function verbFor(call: Call): Verb {
  const { path, resource, attributes } = call;
  const { group, plural, namespaced } = resource;
  const verb = VERBS[attributes.verb];
  if (verb === undefined && resource.origin === 'custom') throw notSupported('', { group, resource: plural });
  if (verb === undefined || isMisplaced(call) || !resource.verbs.includes(attributes.verb)) throw methodNotAllowed();
  const needsNamespace = isWrite(attributes.verb) || attributes.verb === 'deletecollection';
  if (needsNamespace && namespaced && path.namespace === '') throw methodNotAllowed();
  return verb;
}

/** A create of one name, or a change of none. */
function isMisplaced({ attributes: { verb }, path: { name }, resource }: Call): boolean {
  if (!isWrite(verb) || (verb === 'create') === (name === '')) return false;
  if (resource.origin === 'builtin') return true;
  // Of a custom resource the address need not say the name of what is created: the object does.
  if (verb !== 'create') throw badRequest('name must be provided');
  return false;
}

const isWrite = (verb: string): boolean => verb === 'create' || verb === 'update' || verb === 'patch';

/** The refusal in the client's own format, as far as that is one. */
function refusalAnswer(core: Core, request: ServedRequest, error: unknown): ApiResponse {
  const status = statusOf(error);
  const code = status.code ?? 500;
  const object = JSON.parse(JSON.stringify(status)) as JsonObject;
  const format = refusalFormat(request.headers.accept ?? '', core);
  const refused =
    // Who takes none of our formats is answered as a person would be.
    format === undefined
      ? answer(code, 'json', inLines(object))
      : objectAnswer(code, object, { format }, core.parts.protobuf);
  const retry = status.details?.retryAfterSeconds;
  const more = error instanceof Refusal ? error.headers : {};
  const later = retry === undefined ? {} : { 'retry-after': String(retry) };
  return { ...refused, headers: { ...refused.headers, ...more, ...later } };
}

/** What the client would take an object in; a Table is no form of a Status. */
const refusalFormat = (accepts: string, { parts }: Core): Format | undefined =>
  wantedFormat(accepts, parts.protobuf === undefined ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf']);

/** RFC 7234 warnings, as kubectl prints them. */
function withWarnings(response: ServedResponse, warnings: readonly string[]): ServedResponse {
  if (warnings.length === 0) return response;
  const warning = warningHeader(warnings);
  return warning === '' ? response : withHeaders(response, { warning });
}
