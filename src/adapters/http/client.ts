// Kubernetes over HTTP or HTTPS: few connections, kept and used again, and given up when one of them fails.

import type { IncomingMessage, Agent as PlainAgent } from 'node:http';
import https from 'node:https';
import { messageOf } from '../../base/errors.ts';
import type { ClusterAccess } from '../../kube/cluster-access.ts';
import { Unavailable } from '../../kube/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../kube/transport.ts';
import { HttpEventStream } from './client-stream.ts';
import * as http from './plain-http.ts';

/** Shorter than any API server's own idle limit, so that a kept connection is not closed while a request is on its way. */
const IDLE_MS = 30_000;

/**
 * As many as the workers of a manager ask on at once: what is kept less is closed and opened again from one moment to the
 * next, and a handshake costs both sides more than the request.
 */
const MOST_IDLE = 64;

const LARGEST_BODY_BYTES = 256 * 1024 * 1024;

/** A transport to the cluster that `access` leads to. Credentials are sent, never logged. */
export function httpTransport(access: ClusterAccess): Transport {
  const server = new URL(access.server);
  const agent = agentFor(server, access);
  return async request => {
    const token = await access.token?.();
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      return await exchange(server, agent, request, authorization);
    } catch (error) {
      // One connection that failed puts those that wait idle in doubt: the server may have moved or died.
      dropIdle(agent);
      throw error;
    }
  };
}

function agentFor(server: URL, access: ClusterAccess): PlainAgent {
  const kept = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MOST_IDLE, scheduling: 'lifo' } as const;
  if (server.protocol === 'http:') return new http.Agent(kept);
  const { caPem, clientCertificatePem, clientKeyPem, serverName, skipTlsVerify } = access;
  return new https.Agent({
    ...kept,
    ...(caPem === undefined ? {} : { ca: caPem }),
    ...(clientCertificatePem === undefined ? {} : { cert: clientCertificatePem }),
    ...(clientKeyPem === undefined ? {} : { key: clientKeyPem }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    rejectUnauthorized: skipTlsVerify !== true,
  });
}

function dropIdle(agent: PlainAgent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function exchange(
  server: URL,
  agent: PlainAgent,
  request: ApiRequest,
  authorization: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const name = `${request.method} ${request.path}`;
  const { request: open } = server.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      request.signal?.removeEventListener('abort', abort);
      reject(error instanceof Unavailable ? error : new Unavailable(name, messageOf(error), { cause: error }));
    };
    const abort = (): void => {
      outgoing.destroy();
      fail(request.signal?.reason);
    };
    if (request.signal?.aborted) return fail(request.signal.reason);
    const outgoing = open({
      agent,
      hostname: server.hostname.replaceAll(/^\[|\]$/g, ''),
      port: server.port,
      method: request.method,
      path: pathOn(server, request),
      headers: { ...request.headers, ...authorization, ...lengthOf(request) },
    });
    request.signal?.addEventListener('abort', abort, { once: true });
    outgoing.on('error', fail);
    outgoing.on('response', answer => {
      read(answer, request, name).then(response => {
        request.signal?.removeEventListener('abort', abort);
        resolve(response);
      }, fail);
    });
    outgoing.end(request.body);
  });
}

/** A server below a path (a proxy such as Rancher's) keeps that path. */
function pathOn(server: URL, { path, query }: ApiRequest): string {
  const below = server.pathname.replace(/\/$/, '');
  return `${below}${path}${query === '' ? '' : `?${query}`}`;
}

const lengthOf = ({ body, method }: ApiRequest): Record<string, string> =>
  body === undefined && method === 'GET' ? {} : { 'content-length': String(body?.length ?? 0) };

async function read(answer: IncomingMessage, request: ApiRequest, name: string): Promise<ApiResponse> {
  const head = { status: answer.statusCode ?? 0, headers: headersOf(answer) };
  const isWatch = /(^|&)watch=(true|1)(&|$)/.test(request.query);
  if (isWatch && head.status === 200) {
    return { ...head, body: new Uint8Array(), stream: new HttpEventStream(answer, name) };
  }
  return { ...head, body: await bodyOf(answer, name) };
}

async function bodyOf(answer: IncomingMessage, name: string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes > LARGEST_BODY_BYTES)
      throw new Unavailable(name, `an answer of more than ${LARGEST_BODY_BYTES} bytes`);
  }
  return Buffer.concat(parts, sizeBytes);
}

function headersOf(answer: IncomingMessage): Record<string, string> {
  const entries = Object.entries(answer.headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
