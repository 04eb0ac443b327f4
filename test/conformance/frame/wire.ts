// HTTPS as a case needs it: whole answers, and streams that are read line by line. No client of ours is under test.

import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Ground } from './ground.ts';

/** One request. An object is sent as JSON, text and bytes as they are. */
export interface Ask {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body?: unknown;
  /** One that is a list is sent as often. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Who asks; left out: the administrator. */
  readonly as?: Impersonated;
}

/** Sent as the impersonation headers of Kubernetes. */
export interface Impersonated {
  readonly user: string;
  readonly groups?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const agents = new WeakMap<Ground, Agent>();

function agentOf(ground: Ground): Agent {
  const known = agents.get(ground);
  if (known !== undefined) return known;
  const agent = new Agent({ keepAlive: true, ca: ground.caPem });
  agents.set(ground, agent);
  return agent;
}

/** Closes the connections that were kept, so that the process can end. */
export const hangUp = (ground: Ground): void => agentOf(ground).destroy();

export async function ask(ground: Ground, what: Ask): Promise<Answer> {
  const incoming = await open(ground, what);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: Buffer.concat(chunks) };
}

/** Resolves with the head of the answer; the body is still to come. */
export function open(ground: Ground, { method, path, body, headers, as }: Ask): Promise<IncomingMessage> {
  const payload = payloadOf(body);
  const own: [string, string | string[]][] = [['authorization', `Bearer ${ground.adminToken}`]];
  if (payload !== undefined) own.push(['content-type', 'application/json']);
  // Said always: a DELETE's body would otherwise follow without a length, and count as the next request.
  if (payload !== undefined) own.push(['content-length', String(Buffer.byteLength(payload))]);
  if (as !== undefined) own.push(['impersonate-user', as.user]);
  if (as?.groups !== undefined) own.push(['impersonate-group', [...as.groups]]);
  const all = { ...Object.fromEntries(own), ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(ground.url, { method, path: sent(path), headers: all, agent: agentOf(ground) }, resolve);
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
}

/** As a browser sends it, except that dots stay: nobody walks them on the way. What is no path stays as it is. */
function sent(path: string): string {
  return !path.startsWith('/') || /\/(\.|%2e)/i.test(path)
    ? path
    : new URL(`http://host${path}`).href.slice('http://host'.length);
}

function payloadOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

export function headersOf(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join('\n') : value]],
    ),
  );
}
