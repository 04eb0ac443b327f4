// Upgraded connections of the simulated kubelet: which protocol is spoken, and who speaks it.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import { CHANNEL_PROTOCOLS, channelConversation } from './channels.ts';
import { FORWARD_PROTOCOL, forwardChannels, forwardStreams, TUNNEL_PROTOCOL } from './port-forward.ts';
import { converse } from './session.ts';
import { SPDY_PROTOCOL, spdyConversation } from './spdy-conversation.ts';
import type { Target } from './target.ts';

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

interface UpgradeRefusal {
  readonly status: string;
  readonly text: string;
}

/** Undefined: the connection is somebody's now. */
export function upgraded(upgrade: Upgrade, target: Target): UpgradeRefusal | undefined {
  if (!['exec', 'attach', 'portForward'].includes(target.kind)) return { status: '404 Not Found', text: 'not found' };
  if (target.pod.startsWith('gone')) return { status: '404 Not Found', text: 'pod does not exist' };
  if (target.kind !== 'portForward' && !STREAMS.some(stream => isAsked(target.query, stream))) {
    return { status: '400 Bad Request', text: 'you must specify at least 1 of stdin, stdout, stderr' };
  }
  const how = String(upgrade.request.headers.upgrade).toLowerCase();
  return how === 'websocket' ? byWebSocket(upgrade, target) : bySpdy(upgrade, target);
}

/** As the query names them. */
const STREAMS = ['input', 'output', 'error'];

const forwards = { noServer: true, handleProtocols: chosen(['v4.channel.k8s.io']) } as const;
const talks = { noServer: true, handleProtocols: chosen(CHANNEL_PROTOCOLS) } as const;

/** The first one of the client's that is spoken here. */
function chosen(spoken: readonly string[]): (offered: Set<string>) => string | false {
  return offered => [...offered].find(each => spoken.includes(each)) ?? false;
}

function byWebSocket({ request, socket, head }: Upgrade, target: Target): undefined {
  if (target.kind === 'portForward' && offersTunnel(request)) return tunnelled({ request, socket, head }, target);
  const server = new WebSocketServer(target.kind === 'portForward' ? forwards : talks);
  server.handleUpgrade(request, socket, head, webSocket => {
    webSocket.on('error', () => undefined);
    if (target.kind === 'portForward') forwardOver(webSocket, target);
    else converse(commandOf(target), placeOf(target), channelConversation(webSocket));
  });
}

const offersTunnel = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/).includes(TUNNEL_PROTOCOL);

/** The protocol's name has a slash, which the library does not let pass: it is agreed on behind its back. */
function tunnelled({ request, socket, head }: Upgrade, { pod }: Target): undefined {
  delete request.headers['sec-websocket-protocol'];
  const server = new WebSocketServer({ noServer: true });
  server.on('headers', headers => headers.push(`Sec-WebSocket-Protocol: ${TUNNEL_PROTOCOL}`));
  server.handleUpgrade(request, socket, head, webSocket => {
    webSocket.on('error', () => undefined);
    forwardStreams(createWebSocketStream(webSocket), pod);
  });
}

function forwardOver(webSocket: WebSocket, { pod, query }: Target): void {
  const ports = query.getAll('port').flatMap(text => text.split(',').map(Number));
  forwardChannels(webSocket, ports, pod);
}

/** An attached client sees its own input: the simulated main process is `cat`. */
const commandOf = ({ kind, query }: Target): readonly string[] => (kind === 'exec' ? query.getAll('command') : ['cat']);

const placeOf = ({ pod, query }: Target): { pod: string; hasInput: boolean } => ({
  pod,
  hasInput: isAsked(query, 'input'),
});

const isAsked = (query: URLSearchParams, stream: string): boolean => ['1', 'true'].includes(query.get(stream) ?? '');

function bySpdy({ request, socket }: Upgrade, target: Target): UpgradeRefusal | undefined {
  const wanted = target.kind === 'portForward' ? FORWARD_PROTOCOL : SPDY_PROTOCOL;
  const offered = String(request.headers['x-stream-protocol-version'] ?? '').split(/\s*,\s*/);
  if (!offered.includes(wanted)) return { status: '403 Forbidden', text: `unable to negotiate protocol: ${offered}` };
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-stream-protocol-version: ${wanted}\r\n\r\n`,
  );
  if (target.kind === 'portForward') forwardStreams(socket, target.pod);
  else {
    void spdyConversation(socket, streamsOf(target)).then(talk => converse(commandOf(target), placeOf(target), talk));
  }
  return undefined;
}

function streamsOf({ query }: Target): readonly string[] {
  const asked = { stdin: 'input', stdout: 'output', stderr: 'error', resize: 'tty' };
  return ['error', ...Object.entries(asked).flatMap(([type, word]) => (isAsked(query, word) ? [type] : []))];
}
