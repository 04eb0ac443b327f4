// Documents that a client may keep: a tag that changes with them, and the answer to who has them already.

import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../../kube/transport.ts';

/** As the real server writes its hashes. */
export const sha512Of = (content: string | Uint8Array): string =>
  createHash('sha512').update(content).digest('hex').toUpperCase();

/** The answer with its tag; without its body when the client has it. */
export function tagged(request: ApiRequest, tag: string, answer: ApiResponse): ApiResponse {
  const etag = `"${tag}"`;
  if (request.headers['if-none-match'] !== etag) return { ...answer, headers: { ...answer.headers, etag } };
  const { 'content-type': _, ...headers } = answer.headers;
  return { status: 304, headers: { ...headers, etag }, body: new Uint8Array() };
}
