// OpenAPI: which document is asked for; the documents themselves are another part's work.

import type { ApiResponse } from '../kube/transport.ts';
import { bytesOf, objectAnswer } from './answer/render.ts';
import type { Core } from './core.ts';
import type { OtherCall } from './other-paths.ts';
import type { JsonObject } from './parts.ts';

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const JSON_TYPE = 'application/json';

export function openApiAnswer(call: OtherCall, path: string): ApiResponse | undefined {
  const { core, request } = call;
  if (core.parts.openApi === undefined) return undefined;
  if (path === '/openapi/v2') return v2(core, request.headers.accept ?? '');
  if (path === '/openapi/v3') return objectAnswer(200, index(core), { format: 'json' });
  const match = /^\/openapi\/v3\/(?:api\/([^/]+)|apis\/([^/]+)\/([^/]+))$/.exec(path);
  return match === null ? undefined : v3(core, match[2] ?? '', match[1] ?? match[3] ?? '');
}

function v2({ parts, registry }: Core, accepts: string): ApiResponse {
  const protobuf = accepts.includes('proto-openapi.spec.v2');
  const body = parts.openApi?.v2(registry.all(), protobuf ? 'protobuf' : 'json') ?? new Uint8Array();
  return { status: 200, headers: { 'content-type': protobuf ? V2_PROTOBUF : JSON_TYPE }, body };
}

/** Each group version with an address that changes when its document does, so that clients may keep it. */
function index({ registry }: Core): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [group, versions] of registry.groups()) {
    for (const version of versions) {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${registry.hashOf(group, version)}` };
    }
  }
  return { paths };
}

function v3({ parts, registry }: Core, group: string, version: string): ApiResponse | undefined {
  const resources = registry.of(group, version);
  if (resources.length === 0) return undefined;
  const document = parts.openApi?.v3(group, version, resources) ?? {};
  const headers = { 'content-type': JSON_TYPE, etag: `"${registry.hashOf(group, version)}"` };
  return { status: 200, headers, body: bytesOf(JSON.stringify(document)) };
}
