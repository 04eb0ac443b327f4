// How one question to a Kubernetes API is put and its answer read: deadline, headers, and refusals as typed errors.

import type { Clock } from '../base/clock.ts';
import { defineError, messageOf, PippinError } from '../base/errors.ts';
import { ApiError, type Status, Unavailable } from './errors.ts';
import type { ApiRequest, ApiResponse, Identity, Transport } from './transport.ts';

/** Who asks, over what, and how long an answer may take. */
export interface Caller {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly identity?: Identity;
}

/** One question; `query` values that are undefined are left out. */
export interface Question {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** What the answer is to be; JSON unless told otherwise. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** The answer is no JSON. */
export const answerUnreadable = defineError('PIPPIN_E_API_ANSWER_UNREADABLE', {
  retry: 'backoff',
  remedy: 'Check that the address is that of a Kubernetes API and that no proxy in between rewrites its answers',
  says: (request: string, why: string) => `${request}: the answer is not JSON: ${why}`,
});

const utf8 = new TextDecoder();
const bytes = new TextEncoder();

/** Asks and returns the answer when it is a success; throws ApiError on any other status, Unavailable when none came. */
export async function ask(caller: Caller, question: Question): Promise<ApiResponse> {
  const answer = await withinDeadline(caller, question);
  if (answer.status >= 200 && answer.status < 300) return answer;
  answer.stream?.close('refused');
  throw refusal(question, answer);
}

/** Asks and parses the answer's JSON. */
export async function askJson<R>(caller: Caller, question: Question): Promise<R> {
  const answer = await ask(caller, question);
  return parseJson<R>(answer.body, nameOf(question));
}

/** Parses one JSON document; `what` names it when it is none. */
export function parseJson<R>(body: Uint8Array, what: string): R {
  try {
    return JSON.parse(utf8.decode(body)) as R;
  } catch (error) {
    throw answerUnreadable.causedBy(error, what, messageOf(error));
  }
}

function withinDeadline(caller: Caller, question: Question): Promise<ApiResponse> {
  const name = nameOf(question);
  const giveUp = new AbortController();
  return new Promise((resolve, reject) => {
    const abort = (why: string): void => {
      const error = new Unavailable(name, why);
      giveUp.abort(error);
      reject(error);
    };
    const stopped = (): void => abort('the request was given up');
    if (question.signal?.aborted) return stopped();
    const cancelTimer = caller.clock.after(caller.timeoutMs, () => abort(`nothing within ${caller.timeoutMs} ms`));
    question.signal?.addEventListener('abort', stopped, { once: true });
    const detach = (): void => {
      cancelTimer();
      question.signal?.removeEventListener('abort', stopped);
    };
    carry(caller, requestOf(caller, question, giveUp.signal)).then(
      answer => {
        detach();
        if (giveUp.signal.aborted) answer.stream?.close('late');
        resolve(answer);
      },
      (error: unknown) => {
        detach();
        reject(error instanceof PippinError ? error : new Unavailable(name, messageOf(error), { cause: error }));
      },
    );
  });
}

/** A transport that throws instead of rejecting is no different. */
async function carry(caller: Caller, request: ApiRequest): Promise<ApiResponse> {
  return caller.transport(request);
}

function requestOf(caller: Caller, question: Question, signal: AbortSignal): ApiRequest {
  const body = question.body === undefined ? undefined : bytes.encode(JSON.stringify(question.body));
  return {
    method: question.method,
    path: question.path,
    query: queryText(question.query ?? {}),
    headers: {
      accept: question.accept ?? 'application/json',
      'user-agent': caller.userAgent,
      ...(body === undefined ? {} : { 'content-type': question.contentType ?? 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    ...(caller.identity === undefined ? {} : { identity: caller.identity }),
    signal,
  };
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(query)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

function refusal(question: Question, answer: ApiResponse): ApiError {
  const status = statusOf(answer.body);
  const retryAfterMs = retryAfterOf(answer, status);
  return new ApiError({
    httpStatus: answer.status,
    request: nameOf(question),
    ...(status === undefined ? { body: utf8.decode(answer.body.subarray(0, 1000)) } : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function statusOf(body: Uint8Array): Status | undefined {
  try {
    const parsed = JSON.parse(utf8.decode(body)) as Status | null;
    return parsed?.kind === 'Status' ? parsed : undefined;
  } catch {
    return undefined; // a proxy's page, or the plain text of a path that nobody serves: no Status is the answer
  }
}

function retryAfterOf(answer: ApiResponse, status: Status | undefined): number | undefined {
  const header = Number.parseInt(answer.headers['retry-after'] ?? '', 10);
  const seconds = Number.isNaN(header) ? status?.details?.retryAfterSeconds : header;
  return seconds === undefined ? undefined : seconds * 1000;
}

const nameOf = (question: Question): string => `${question.method} ${question.path}`;
