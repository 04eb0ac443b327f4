// JSON for people: in lines, to whoever asks for it and to the programs with which people look.

import type { ApiRequest, ApiResponse } from '../../kube/transport.ts';
import { wantsLines } from '../request/accept.ts';
import { queryOf } from '../request/query.ts';
import { goTruth } from '../rules/go-truth.ts';
import { bytesOf } from './render.ts';

const BY_HAND = /^(curl|Wget|Mozilla\/5\.0)/;
const decoder = new TextDecoder();

/** The same answer in lines, without a line's end after the last one, when it is JSON for a person. Documents that describe the API stay as they are. */
export function madePretty<Answer extends ApiResponse>(request: ApiRequest, answer: Answer): Answer {
  if (!wantsPretty(request) || answer.stream !== undefined || request.path.startsWith('/openapi/')) return answer;
  if (answer.headers['content-type'] !== 'application/json') return answer;
  const { pieces: _, ...whole } = answer;
  const value: unknown = JSON.parse(decoder.decode(whole.body));
  return { ...(whole as Answer), body: inLines(value) };
}

/** JSON that a person can read. */
export const inLines = (value: unknown): Uint8Array => bytesOf(JSON.stringify(value, undefined, 2));

function wantsPretty({ query, headers }: ApiRequest): boolean {
  const asked = query.includes('pretty') ? queryOf(query).get('pretty') : null;
  if (asked !== null && asked !== '') return goTruth(asked) === 'true';
  return BY_HAND.test(headers['user-agent'] ?? '') || wantsLines(headers.accept ?? '');
}
