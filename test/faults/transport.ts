// The fault line around an API transport: each request a numbered call, each watch frame a numbered event.

import { Unavailable } from '../../src/kube/errors.ts';
import type { ApiRequest, ApiResponse, EventStream, Transport } from '../../src/kube/transport.ts';
import type { FaultLine } from './fault-line.ts';
import type { Via } from './ports.ts';

const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  500: 'InternalError',
};

export interface ApiVia extends Via {
  /** `workload`: of a cluster that is not the one it works on. `api` unless told otherwise. */
  readonly seam?: 'api' | 'workload';
}

/** An API as one life of a process sees it. */
export function faultyTransport(inner: Transport, { process, life, line, seam = 'api' }: ApiVia): Transport {
  return async request => {
    const call = {
      process,
      seam,
      label: `${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`,
      write: request.method !== 'GET',
    };
    const response = await line.through(call, life, () => inner(request), {
      refused: code => refusal(request, code),
      unanswered: why => {
        throw new Unavailable(`${request.method} ${request.path}`, why);
      },
    });
    const { stream } = response;
    return stream === undefined
      ? response
      : { ...response, stream: new FaultyStream(stream, request.path, { process, line }) };
  };
}

/** What an API server answers; 404 names the very object asked for, as only a wrong answer would. */
function refusal(request: ApiRequest, code: number): ApiResponse {
  const [, resource, name] = /\/([a-z]+)\/([^/]+)(?:\/(?:status|binding|eviction|token))?$/.exec(request.path) ?? [];
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${code} by the fault plan`,
    reason: REASONS[code],
    code,
    details: { kind: resource, name },
  };
  return {
    status: code,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(status)),
  };
}

class FaultyStream implements EventStream {
  readonly #inner: EventStream;
  readonly #path: string;
  readonly #via: { readonly process: string; readonly line: FaultLine };
  readonly #again: Uint8Array[] = [];

  constructor(inner: EventStream, path: string, via: { process: string; line: FaultLine }) {
    this.#inner = inner;
    this.#path = path;
    this.#via = via;
  }

  async next(): Promise<Uint8Array | undefined> {
    const again = this.#again.shift();
    if (again !== undefined) return again;
    for (;;) {
      const frame = await this.#inner.next();
      if (frame === undefined) return undefined;
      const { times } = await this.#via.line.event(this.#via.process, `${this.#path} ${summary(frame)}`);
      if (times === 0) continue;
      if (times > 1) this.#again.push(frame);
      return frame;
    }
  }

  close(reason: string): void {
    this.#inner.close(reason);
  }
}

/** The server sends one frame to all who watch the same. */
const summaries = new WeakMap<Uint8Array, string>();

/** `MODIFIED default/web`: what the event says, without its bytes. */
function summary(frame: Uint8Array): string {
  const known = summaries.get(frame) ?? summaryOf(frame);
  summaries.set(frame, known);
  return known;
}

function summaryOf(frame: Uint8Array): string {
  const { type, object } = JSON.parse(new TextDecoder().decode(frame)) as {
    type: string;
    object?: { metadata?: { namespace?: string; name?: string } };
  };
  const { namespace, name } = object?.metadata ?? {};
  return `${type} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`;
}
