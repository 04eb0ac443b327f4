// The API as the web's `fetch`: clients that are written for it need no port and no certificate.

import type { ApiRequest, ApiResponse, EventStream, Transport } from '../../kube/transport.ts';
import { requestInvalid } from './errors.ts';
import type { TestClient } from './types.ts';

/** For addresses without a host: only the path counts. */
const ANYWHERE = 'https://pippin.invalid';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function fetchOver(transport: Transport): TestClient['fetch'] {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, ANYWHERE) : input, init);
    return webResponse(await transport(await apiRequestOf(request)), request.signal);
  };
}

async function apiRequestOf(request: Request): Promise<ApiRequest> {
  const { pathname, search } = new URL(request.url);
  const method = METHODS.find(each => each === request.method);
  if (method === undefined) throw requestInvalid('method', `one of ${METHODS.join(', ')}`, request.method);
  const body = new Uint8Array(await request.arrayBuffer());
  return {
    method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers.entries()),
    ...(body.length === 0 ? {} : { body }),
    signal: request.signal,
  };
}

function webResponse({ status, headers, body, stream }: ApiResponse, signal: AbortSignal): Response {
  // A body may be part of something larger: the web's types want it in memory of its own.
  const content = stream === undefined ? Uint8Array.from(body) : readable(stream, signal);
  return new Response(content, { status, headers });
}

/** As everywhere on the web: who gives a request up ends its body with an error. */
function readable(stream: EventStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: controller => {
      const giveUp = (): void => {
        controller.error(signal.reason);
        stream.close('it was given up');
      };
      signal.addEventListener('abort', giveUp, { once: true });
    },
    pull: async controller => {
      const frame = await stream.next();
      if (signal.aborted) return;
      if (frame === undefined) controller.close();
      else controller.enqueue(frame);
    },
    cancel: () => stream.close('its reader has gone'),
  });
}
