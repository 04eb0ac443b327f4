// Everything that is no resource: health, version, discovery, OpenAPI.

import type { ApiRequest, ApiResponse, Identity } from '../kube/transport.ts';
import { authorize, type ServedRequest } from './access.ts';
import { answer, bytesOf, objectAnswer, textAnswer } from './answer/render.ts';
import { methodNotAllowed, noSuchResource, Refusal } from './answer/status.ts';
import { sha512Of, tagged } from './answer/tag.ts';
import type { Core } from './core.ts';
import { aggregated, coreVersions, group, groupList, resourceList } from './discovery.ts';
import { healthAnswer, healthPaths } from './health.ts';
import { issuerAnswer, issuerPaths } from './issuer-paths.ts';
import { metricsAnswer } from './metrics.ts';
import { openApiAnswer } from './openapi-paths.ts';
import type { JsonObject } from './parts.ts';
import { type Accepted, accept, acceptRoute, type Format, MEDIA_TYPES } from './request/accept.ts';

export interface OtherCall {
  readonly core: Core;
  readonly request: ServedRequest;
  readonly query: URLSearchParams;
  readonly identity: Identity;
}

/** The Kubernetes version whose behaviour this server follows. */
const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'any/any',
};

/** Answered to any method, as by the real server. */
const ANY_METHOD = /^\/(apis(\/[^/]+)?|openapi\/.*|metrics|(healthz|livez|readyz)(\/.*)?)?$/;

export function answerOther(call: OtherCall): ApiResponse {
  const { core, request, identity } = call;
  const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
  authorize(core, {
    identity,
    verb: (request.otherMethod ?? request.method).toLowerCase(),
    path: request.path,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
  });
  const found = request.path.startsWith('//') ? undefined : answerGet(call, path);
  if (found === undefined) return unknownPath(core, path);
  const isRead = request.method === 'GET' && request.otherMethod === undefined;
  if (!isRead && !ANY_METHOD.test(path)) throw methodNotAllowed();
  return found;
}

/** Below a built-in group the refusal is a Status, elsewhere a plain text. */
function unknownPath({ registry }: Core, path: string): ApiResponse {
  const [, root, group] = path.split('/');
  const isOfGroup = root === 'apis' && group !== undefined && group !== '' && registry.isBuiltin(group);
  const isOfIssuer = issuerPaths.some(known => path.startsWith(`${known}/`));
  if (isOfGroup || isOfIssuer || root === 'api' || root === 'version') throw noSuchResource();
  return textAnswer(404, '404 page not found\n');
}

function answerGet(call: OtherCall, path: string): ApiResponse | undefined {
  const { core, request, query } = call;
  const health = healthAnswer(request.path, query);
  if (health !== undefined) return health;
  if (path === '/version') return version(request);
  if (path === '/metrics') return metricsAnswer(core);
  if (path === '/') return rootPaths(call);
  const ofIssuer = issuerAnswer(call, path);
  if (ofIssuer !== undefined) return ofIssuer;
  if (path.startsWith('/openapi/')) return openApiAnswer(call, path);
  return discovery(call, path);
}

function version({ headers }: ApiRequest): ApiResponse {
  acceptRoute(headers.accept, [MEDIA_TYPES.json]);
  return inLines(VERSION);
}

/** For people, whoever asks. */
function inLines(object: JsonObject): ApiResponse {
  return answer(200, 'json', bytesOf(JSON.stringify(object, undefined, 2)));
}

function discovery({ core, request }: OtherCall, path: string): ApiResponse | undefined {
  const isRoot = path === '/api' || path === '/apis';
  const { protobuf } = core.parts;
  const formats: readonly Format[] = protobuf === undefined ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'];
  // Wherever it stands among the accepted forms, the aggregated one is answered by who has it.
  const aggregation = isRoot ? acceptedAggregation(request) : undefined;
  if (isRoot && aggregation !== undefined) return aggregatedAnswer(core, request, path);
  // The lists of all groups and of one group's versions are found by whoever asks.
  const route = /^\/(api(\/|$)|apis\/[^/]+\/)/.test(path) ? { route: Object.values(MEDIA_TYPES) } : {};
  const accepted = accept(request.headers.accept, { formats, shapes: [], ...route });
  const object = document(core, path.split('/').slice(1), request.headers.host ?? '');
  return object === undefined ? undefined : objectAnswer(200, object, accepted, protobuf);
}

function acceptedAggregation({ headers }: ApiRequest): Accepted | undefined {
  const forms = (headers.accept ?? '').split(',').filter(form => form.includes('as=APIGroupDiscoveryList'));
  try {
    return forms.length === 0 ? undefined : accept(forms.join(','), { formats: ['json'], shapes: ['discovery'] });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function document(
  { registry }: Core,
  [root, first, second, more]: readonly string[],
  host: string,
): JsonObject | undefined {
  if (more !== undefined) return undefined;
  if (root === 'api') return first === undefined ? coreVersions(registry, host) : resourceList(registry, '', first);
  if (root !== 'apis') return undefined;
  if (first === undefined) return groupList(registry);
  if (first === '') return undefined;
  return second === undefined ? group(registry, first) : resourceList(registry, first, second);
}

interface Kept {
  readonly generation: number;
  readonly byRoot: Map<string, { readonly body: Uint8Array; readonly tag: string }>;
}

/** Written once for each state of what is served: every start of kubectl asks for it. */
const kept = new WeakMap<Core, Kept>();

function aggregatedAnswer(core: Core, request: ApiRequest, root: '/api' | '/apis'): ApiResponse {
  const { generation } = core.registry;
  const known = kept.get(core);
  const { byRoot } = known?.generation === generation ? known : { byRoot: new Map() };
  kept.set(core, { generation, byRoot });
  const { body, tag } = byRoot.get(root) ?? written(core, root);
  byRoot.set(root, { body, tag });
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const headers = { 'content-type': type, 'cache-control': 'public', vary: 'Accept' };
  return tagged(request, tag, { status: 200, headers, body });
}

function written(core: Core, root: '/api' | '/apis'): { body: Uint8Array; tag: string } {
  const body = bytesOf(`${JSON.stringify(aggregated(core.registry, root, 'v2'))}\n`);
  return { body, tag: sha512Of(body) };
}

function rootPaths({ core }: OtherCall): ApiResponse {
  const groups = [...core.registry.groups()].flatMap(([name, versions]) =>
    name === '' ? ['/api', '/api/v1'] : [`/apis/${name}`, ...versions.map(version => `/apis/${name}/${version}`)],
  );
  const ofIssuer = core.parts.issuer === undefined ? [] : issuerPaths;
  const documents = ['/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];
  const paths = ['/apis', '/apis/', ...groups, ...healthPaths, '/metrics', ...documents, ...ofIssuer];
  return inLines({ paths: [...new Set(paths)].sort() });
}
