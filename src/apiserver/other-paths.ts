// Everything that is no resource: health, version, discovery, OpenAPI.

import type { ApiRequest, ApiResponse, Identity } from '../kube/transport.ts';
import { authorize } from './access.ts';
import { objectAnswer, textAnswer } from './answer/render.ts';
import { methodNotAllowed, noSuchResource } from './answer/status.ts';
import type { Core } from './core.ts';
import { aggregated, coreVersions, group, groupList, resourceList } from './discovery.ts';
import { openApiAnswer } from './openapi-paths.ts';
import type { JsonObject } from './parts.ts';
import { type Accepted, accept } from './request/accept.ts';

export interface OtherCall {
  readonly core: Core;
  readonly request: ApiRequest;
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

const HEALTH = /^\/(healthz|livez|readyz)(\/.*)?$/;

export function answerOther(call: OtherCall): ApiResponse {
  const { core, request, identity } = call;
  const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
  authorize(core, {
    identity,
    verb: request.method.toLowerCase(),
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
  const answer = answerGet(call, path);
  if (answer === undefined) return unknownPath(core, path);
  if (request.method !== 'GET') throw methodNotAllowed();
  return answer;
}

/** Below a built-in group the refusal is a Status, elsewhere a plain text. */
function unknownPath({ registry }: Core, path: string): ApiResponse {
  const [, root, group] = path.split('/');
  if (root === 'apis' && group !== undefined && registry.isBuiltin(group)) throw noSuchResource();
  return textAnswer(404, '404 page not found\n');
}

function answerGet(call: OtherCall, path: string): ApiResponse | undefined {
  if (HEALTH.test(path)) return healthy();
  if (path === '/version') return objectAnswer(200, VERSION, { format: 'json' });
  if (path === '/') return rootPaths(call);
  if (path.startsWith('/openapi/')) return openApiAnswer(call, path);
  return discovery(call, path);
}

function healthy(): ApiResponse {
  const answer = textAnswer(200, 'ok');
  return { ...answer, headers: { ...answer.headers, 'x-content-type-options': 'nosniff' } };
}

function discovery({ core, request }: OtherCall, path: string): ApiResponse | undefined {
  const root = path === '/api' || path === '/apis' ? path : undefined;
  const accepted = accept(request.headers.accept, ['json', 'yaml'], root === undefined ? [] : ['discovery']);
  if (root !== undefined && accepted.shape === 'discovery') return aggregatedAnswer(core, root, accepted);
  const object = document(core, path.split('/').slice(1));
  return object === undefined ? undefined : objectAnswer(200, object, accepted);
}

function document({ registry }: Core, [root, first, second, more]: readonly string[]): JsonObject | undefined {
  if (more !== undefined) return undefined;
  if (root === 'api') return first === undefined ? coreVersions(registry, '') : resourceList(registry, '', first);
  if (root !== 'apis') return undefined;
  if (first === undefined) return groupList(registry);
  return second === undefined ? group(registry, first) : resourceList(registry, first, second);
}

function aggregatedAnswer(core: Core, root: '/api' | '/apis', { shapeVersion, format }: Accepted): ApiResponse {
  const answer = objectAnswer(200, aggregated(core.registry, root, shapeVersion), { format });
  const type = `application/json;g=apidiscovery.k8s.io;v=${shapeVersion};as=APIGroupDiscoveryList`;
  return { ...answer, headers: { ...answer.headers, 'content-type': type, vary: 'Accept' } };
}

function rootPaths({ core }: OtherCall): ApiResponse {
  const groups = [...core.registry.groups()].flatMap(([name, versions]) =>
    name === '' ? ['/api', '/api/v1'] : [`/apis/${name}`, ...versions.map(version => `/apis/${name}/${version}`)],
  );
  const paths = ['/apis', ...groups, '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  return objectAnswer(200, { paths: [...new Set(paths)].sort() }, { format: 'json' });
}
