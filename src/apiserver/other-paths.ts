// Everything that is no resource: health, version, discovery, OpenAPI.

import type { ApiRequest, ApiResponse, Identity } from '../kube/transport.ts';
import { authorize, type ServedRequest } from './access.ts';
import { aggregatedAnswer } from './aggregated-discovery.ts';
import { inLines } from './answer/pretty.ts';
import { answer, objectAnswer, textAnswer } from './answer/render.ts';
import { methodNotAllowed, noSuchResource } from './answer/status.ts';
import type { Core } from './core.ts';
import { coreVersions, group, groupList, resourceList } from './discovery.ts';
import { healthAnswer, healthPaths } from './health.ts';
import { issuerAnswer, issuerPaths } from './issuer-paths.ts';
import { metricsAnswer } from './metrics.ts';
import { openApiAnswer } from './openapi-paths.ts';
import type { JsonObject } from './parts.ts';
import { accept, acceptRoute, type Format, MEDIA_TYPES } from './request/accept.ts';

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
  return answer(200, 'json', inLines(VERSION));
}

function discovery(call: OtherCall, path: string): ApiResponse | undefined {
  const { core, request } = call;
  const whole = path === '/api' || path === '/apis' ? aggregatedAnswer(call, path) : undefined;
  if (whole !== undefined) return whole;
  const object = document(core, path.split('/').slice(1), request.headers.host ?? '');
  if (object === undefined) return undefined;
  const { protobuf } = core.parts;
  const formats: readonly Format[] = protobuf === undefined ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'];
  // The lists of all groups and of one group's versions are found by whoever asks.
  const route = /^\/(api(\/|$)|apis\/[^/]+\/)/.test(path) ? { route: Object.values(MEDIA_TYPES) } : {};
  return objectAnswer(200, object, accept(request.headers.accept, { formats, shapes: [], ...route }), protobuf);
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

function rootPaths({ core }: OtherCall): ApiResponse {
  const groups = [...core.registry.groups()].flatMap(([name, versions]) =>
    name === '' ? ['/api', '/api/v1'] : [`/apis/${name}`, ...versions.map(version => `/apis/${name}/${version}`)],
  );
  const ofIssuer = core.parts.issuer === undefined ? [] : issuerPaths;
  const documents = ['/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];
  const paths = ['/apis', '/apis/', ...groups, ...healthPaths, '/metrics', ...documents, ...ofIssuer];
  return answer(200, 'json', inLines({ paths: [...new Set(paths)].sort() }));
}
