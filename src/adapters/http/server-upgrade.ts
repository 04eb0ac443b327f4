// A request to upgrade its connection: carried on to a kubelet when the API allows it, else answered like any other.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refusalJson } from '../../apiserver/answer/render.ts';
import { unexpected } from '../../apiserver/answer/status.ts';
import type { KubeletRequest } from '../../apiserver/kubelets.ts';
import { messageOf } from '../../base/errors.ts';
import type { ApiResponse, EventStream } from '../../kube/transport.ts';
import type { KubeletConnections } from './kubelets.ts';
import { ServerResponse } from './plain-http.ts';
import type { Load } from './server-limits.ts';
import { answerWith, requestOf, type Served } from './server-request.ts';

interface Upgrade {
  readonly serve: Served;
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What was read after the request's head: the conversation has begun. */
  readonly head: Buffer;
  readonly streams: Set<EventStream>;
  readonly load: Load;
  readonly kubelets: KubeletConnections | undefined;
}

export async function serveUpgrade(upgrade: Upgrade): Promise<void> {
  const { serve, request, socket, head, kubelets } = upgrade;
  socket.on('error', () => undefined);
  takeTokenFromProtocols(request.headers);
  const asked = requestOf(request, new Uint8Array());
  const answer = await serve(asked);
  const { onward } = answer;
  if (onward === undefined || kubelets === undefined) return plainly(upgrade, answer);
  try {
    await kubelets.carry({ ...onward, headers: passedOn(request, onward) }, { socket, head });
  } catch (error) {
    await plainly(upgrade, refusalJson(unexpected(messageOf(error))));
  }
}

/** Nothing else is said on this connection: the client believes it to be another protocol's. */
async function plainly({ serve, request, socket, streams, load }: Upgrade, answer: ApiResponse): Promise<void> {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  await answerWith({ serve, request, response, streams, load }, answer);
}

const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** Browsers cannot set headers on a WebSocket: their token comes as a subprotocol, which goes no further. */
function takeTokenFromProtocols(headers: IncomingHttpHeaders): void {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim());
  const [token] = offered.filter(each => each.startsWith(TOKEN_PROTOCOL));
  const others = offered.filter(each => !each.startsWith(TOKEN_PROTOCOL));
  if (token === undefined || others.length === 0) return;
  headers['sec-websocket-protocol'] = others.join(',');
  headers.authorization ??= `Bearer ${Buffer.from(token.slice(TOKEN_PROTOCOL.length), 'base64url').toString()}`;
}

const OWN = /^(authorization|impersonate-.*|host|x-forwarded-for|content-length|transfer-encoding)$/;

/** The client's headers without its credentials. */
function passedOn(
  { headers, socket }: IncomingMessage,
  { host, port, workload }: KubeletRequest,
): Record<string, string> {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OWN.test(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  const before = headers['x-forwarded-for'];
  const from = [before === undefined ? [] : before, socket.remoteAddress ?? []].flat().join(', ');
  return {
    ...Object.fromEntries(passed),
    host: workload === undefined ? `${host}:${port}` : (headers.host ?? ''),
    'x-forwarded-for': from,
  };
}
