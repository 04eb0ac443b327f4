// The API as the web's `fetch`: clients that are written for it need no port and no certificate.

import type { ServedRequest } from '../../apiserver/access.ts';
import type { ApiResponse, EventStream, Transport } from '../../kube/transport.ts';
import type { TestClient } from './types.ts';

/** For addresses without a host: only the path counts. */
const ANYWHERE = 'https://pippin.invalid';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Objects have no head of their own, as over a port. */
const OBJECTS = /^\/(api|version|openid|\.well-known)(\/|$)|^\/apis\/[^/]+\/[^/]/;

export function fetchOver(transport: Transport): TestClient['fetch'] {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, ANYWHERE) : input, init);
    return webResponse(await transport(await apiRequestOf(request)), request);
  };
}

async function apiRequestOf(request: Request): Promise<ServedRequest> {
  const { pathname, search } = new URL(request.url);
  const method = METHODS.find(each => each === request.method);
  const isOfPage = request.method === 'HEAD' && !OBJECTS.test(pathname);
  const body = new Uint8Array(await request.arrayBuffer());
  return {
    method: method ?? 'GET',
    ...(method !== undefined || isOfPage ? {} : { otherMethod: request.method }),
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers.entries()),
    ...(body.length === 0 ? {} : { body }),
    signal: request.signal,
  };
}

function webResponse({ status, headers, body, stream }: ApiResponse, { method, signal }: Request): Response {
  if (method === 'HEAD') {
    stream?.close('its head was asked for');
    return new Response(null, { status, headers });
  }
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
