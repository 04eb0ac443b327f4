// Connections to the kubelets of Nodes over TLS, as the API server: whole requests, and upgraded ones byte by byte.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import type { KubeletRequest, Kubelets } from '../../apiserver/kubelets.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { ByteStream } from './byte-stream.ts';
import { request as plainRequest } from './plain-http.ts';

export interface KubeletTrust {
  /** Shown to kubelets. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** Whose serving certificates are believed. */
  readonly authorityPem: string;
  /** Through which workloads without TLS are reached; left out: directly. */
  readonly httpProxy?: string;
}

/** An upgraded connection of a client, with what was read of it already. */
export interface Upgraded {
  readonly socket: Socket;
  readonly head: Buffer;
}

export interface KubeletConnections extends Kubelets {
  /** Carries the client's connection on. Rejects while nothing has been written to it. */
  carry(onward: KubeletRequest, client: Upgraded): Promise<void>;
  close(): void;
}

/** A kubelet that does not even answer the connection is down. */
const CONNECT_MS = 30_000;

export function kubeletConnections(trust: KubeletTrust): KubeletConnections {
  const { certificatePem, privateKeyPem, authorityPem, httpProxy } = trust;
  const own = { cert: certificatePem, key: privateKeyPem, ca: authorityPem, keepAlive: true, maxFreeSockets: 8 };
  const strict = new Agent(own);
  const trusting = new Agent({ ...own, rejectUnauthorized: false });
  const toKubelet = ({ host, port, method, path, headers, trusts }: KubeletRequest): ClientRequest =>
    request({ host, port, method, path, headers, agent: trusts === 'any' ? trusting : strict });
  const sent = (what: KubeletRequest, way: 'asked' | 'carried'): ClientRequest => {
    const outgoing =
      what.workload === undefined ? toKubelet(what) : toWorkload(what, way === 'asked' ? httpProxy : undefined);
    outgoing.setTimeout(CONNECT_MS, () => outgoing.destroy(new Error('i/o timeout')));
    outgoing.end(what.body);
    return outgoing;
  };
  return {
    ask: async what => answerOf(await headOf(sent(what, 'asked'), what)),
    carry: (onward, client) => carry(sent(onward, 'carried'), onward, client),
    close: () => {
      strict.destroy();
      trusting.destroy();
    },
  };
}

/** Conversations are carried on directly, as kube-apiserver does it: its proxy is for whole requests only. */
function toWorkload(what: KubeletRequest, httpProxy: string | undefined): ClientRequest {
  const { host, port, method, path, headers, workload } = what;
  if (workload === 'https')
    return request({ host, port, method, path, headers, rejectUnauthorized: false, agent: false });
  if (httpProxy === undefined) return plainRequest({ host, port, method, path, headers, agent: false });
  const proxy = new URL(httpProxy);
  const whole = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  return plainRequest({ host: proxy.hostname, port: proxy.port, method, path: whole, headers, agent: false });
}

function headOf(outgoing: ClientRequest, { host, port }: KubeletRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', incoming => {
      outgoing.setTimeout(0);
      resolve(incoming);
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => reject(inGoWords(error, host, port)));
  });
}

/** As kubectl shows it on every other cluster. */
function inGoWords(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'connect: connection refused',
    EHOSTUNREACH: 'connect: no route to host',
    ENETUNREACH: 'connect: network is unreachable',
    ETIMEDOUT: 'i/o timeout',
  };
  if (error.message === 'socket hang up') return new Error('EOF', { cause: error });
  const words = known[error.code ?? ''];
  if (error.code === 'ENOTFOUND') return new Error(`dial tcp: lookup ${host}: no such host`, { cause: error });
  return words === undefined ? error : new Error(`dial tcp ${host}:${port}: ${words}`, { cause: error });
}

function answerOf(incoming: IncomingMessage): ApiResponse {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined || OWN_PLACE.has(name) ? [] : [[name, String(value)]],
    ),
  );
  const cookies = incoming.headers['set-cookie'];
  return {
    status: incoming.statusCode ?? 0,
    headers,
    ...(cookies === undefined ? {} : { cookies }),
    body: new Uint8Array(),
    stream: new ByteStream(incoming),
  };
}

/** Of one hop alone, or told apart from the others. */
const OWN_PLACE: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'set-cookie',
]);

function carry(outgoing: ClientRequest, { host, port }: KubeletRequest, client: Upgraded): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      const { message } = inGoWords(error, host, port);
      reject(new Error(`error dialing backend: ${message}`, { cause: error }));
    });
    outgoing.once('upgrade', (incoming, socket, head) => {
      outgoing.setTimeout(0);
      socket.setTimeout(0);
      client.socket.write(headText(incoming));
      client.socket.write(head);
      socket.write(client.head);
      joined(socket, client.socket);
      resolve();
    });
    outgoing.once('response', incoming => {
      outgoing.setTimeout(0);
      const status = incoming.statusCode ?? 0;
      if (status < 400) reject(new Error(`invalid upgrade response: status code ${status}`));
      else resolve(echoed(incoming, client.socket));
    });
  });
}

/** When one side is gone, so is the other: half-open conversations would never end. */
function joined(kubelet: Socket, client: Socket): void {
  for (const [from, to] of [
    [kubelet, client],
    [client, kubelet],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.once('close', () => to.destroySoon());
  }
}

/** The kubelet's refusal, as it is. */
function echoed(incoming: IncomingMessage, client: Socket): Promise<void> {
  client.write(headText(incoming, 'close'));
  incoming.pipe(client);
  return new Promise(resolve => incoming.once('close', resolve));
}

function headText(incoming: IncomingMessage, connection?: 'close'): string {
  const lines = [`HTTP/1.1 ${incoming.statusCode} ${incoming.statusMessage ?? ''}`];
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    const name = incoming.rawHeaders[at] ?? '';
    if (connection !== undefined && /^(connection|keep-alive|transfer-encoding)$/i.test(name)) continue;
    lines.push(`${name}: ${incoming.rawHeaders[at + 1]}`);
  }
  if (connection !== undefined) lines.push(`connection: ${connection}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
