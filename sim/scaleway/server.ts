// The simulated Scaleway over HTTP, on loopback: the paths, pages and errors that the official SDK speaks.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NoAnswer, Refusal } from './faults.ts';
import { imageJson, keyJson, refusalJson, serverJson } from './json.ts';
import type { ScalewayModel } from './model.ts';

export interface ScalewayServerOptions {
  readonly model: ScalewayModel;
  /** Callers must bring it as `X-Auth-Token`; any other is 401. */
  readonly secretKey: string;
  /** 0 for any free one. */
  readonly port?: number;
}

export interface ScalewayServer {
  /** Without a trailing slash, as the SDK wants it. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

export async function serveScaleway(options: ScalewayServerOptions): Promise<ScalewayServer> {
  const server = createServer((request, response) => void handle(options, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function handle(options: ScalewayServerOptions, incoming: IncomingMessage, response: ServerResponse) {
  try {
    if (incoming.headers['x-auth-token'] !== options.secretKey) throw new Refusal(401, 'denied_authentication');
    const answer = route(options.model, await read(incoming));
    send(response, answer === undefined ? 204 : 200, answer);
  } catch (error) {
    if (error instanceof NoAnswer) return noAnswer(error, incoming);
    const refusal = error instanceof Refusal ? error : new Refusal(400, 'invalid_request_error');
    send(response, refusal.status, refusalJson(refusal));
  }
}

/** A time-out keeps the caller waiting until it gives up by itself. */
function noAnswer(error: NoAnswer, incoming: IncomingMessage): void {
  if (error.how === 'reset') incoming.socket.destroy();
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    body: text === '' ? {} : JSON.parse(text),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  // The SDK parses JSON only under exactly this type.
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

const SERVERS = /^\/apple-silicon\/v1alpha1\/zones\/([^/]+)\/servers(?:\/([^/]+)(?:\/(reinstall|reboot))?)?$/;
const IMAGES = /^\/apple-silicon\/v1alpha1\/zones\/([^/]+)\/os$/;
const KEYS = /^\/iam\/v1alpha1\/ssh-keys(?:\/([^/]+))?$/;

function route(model: ScalewayModel, request: Request): unknown {
  const servers = SERVERS.exec(request.path);
  if (servers !== null)
    return serverRoute(model, request, { zone: servers[1] ?? '', id: servers[2], action: servers[3] });
  const images = IMAGES.exec(request.path);
  if (images !== null) return page('os', model.listOS(images[1] ?? '').map(imageJson), request.query);
  const keys = KEYS.exec(request.path);
  if (keys !== null) return keyRoute(model, request, keys[1]);
  throw new Refusal(404, 'unknown_resource');
}

function serverRoute(
  model: ScalewayModel,
  { method, query, body }: Request,
  { zone, id, action }: { readonly zone: string; readonly id: string | undefined; readonly action: string | undefined },
): unknown {
  if (id === undefined) {
    const mine = (query.get('project_id') ?? model.state.projectId) === model.state.projectId;
    const all = model.listServers(zone).map(server => serverJson(server, model.state));
    return page('servers', mine ? all : [], query);
  }
  const one = (): unknown => serverJson(model.byId(id), model.state);
  if (action === 'reinstall') model.reinstallServer(zone, id, textOf(body.os_id));
  else if (action === 'reboot') model.rebootServer(zone, id);
  else if (method === 'PATCH') model.updateServer(zone, id, nameIn(body));
  else model.getServer(zone, id);
  return one();
}

function keyRoute(model: ScalewayModel, { method, body, query }: Request, id: string | undefined): unknown {
  if (method === 'DELETE') return model.deleteSSHKey(id ?? '');
  if (method === 'POST') {
    return keyJson(model.createSSHKey(String(body.name), String(body.public_key)), model.state);
  }
  // Without the project the key's rights do not cover the list (mac-F41).
  if (query.get('project_id') !== model.state.projectId) throw new Refusal(403, 'permissions_denied');
  const keys = model.listSSHKeys().map(key => keyJson(key, model.state));
  return page('ssh_keys', keys, query);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function nameIn(body: Record<string, unknown>): { readonly name?: string } {
  const name = textOf(body.name);
  return name === undefined ? {} : { name };
}

/** A page of a list. Pages are 50 long unless asked otherwise, 100 at most. */
function page(key: string, all: readonly unknown[], query: URLSearchParams): unknown {
  const size = Math.min(Number(query.get('page_size') ?? 50), 100);
  const from = (Number(query.get('page') ?? 1) - 1) * size;
  return { [key]: all.slice(from, from + size), total_count: all.length };
}
