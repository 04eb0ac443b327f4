// Where OpenID Connect has the issuer of tokens described, and its keys: answered to whoever may read these paths.

import type { ApiResponse } from '../kube/transport.ts';
import { bytesOf } from './answer/render.ts';
import type { OtherCall } from './other-paths.ts';
import type { JsonObject } from './parts.ts';
import { acceptRoute } from './request/accept.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

export const issuerPaths = [CONFIGURATION, KEYS] as const;

/** Undefined: no such path, or nobody here issues tokens. */
export function issuerAnswer({ core, request }: OtherCall, path: string): ApiResponse | undefined {
  const { issuer } = core.parts;
  if (issuer === undefined) return undefined;
  if (path === CONFIGURATION) {
    const { host = 'localhost' } = request.headers;
    return kept(request.headers.accept, 'application/json', issuer.configuration(`https://${host}${KEYS}`));
  }
  return path === KEYS ? kept(request.headers.accept, 'application/jwk-set+json', issuer.keys()) : undefined;
}

/** As long as the real server lets it be kept. */
function kept(accepts: string | undefined, type: string, document: JsonObject): ApiResponse {
  acceptRoute(accepts, [type]);
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=3600' };
  return { status: 200, headers, body: bytesOf(JSON.stringify(document)) };
}
