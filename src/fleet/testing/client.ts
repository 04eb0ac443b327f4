// The API as a test's code calls it: plain requests, watches and `fetch`, each in the name of one identity.

import type { ApiRequest, ApiResponse, EventStream, Identity, Transport } from '../../kube/transport.ts';
import type { Credentials } from './credentials.ts';
import { requestInvalid, watchRefused } from './errors.ts';
import { fetchOver } from './fetch.ts';
import type { TestClient, TestRequest, TestResponse, TestWatch, WatchEvent } from './types.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function clientOf(transport: Transport, identity: Identity, credentials: Credentials): TestClient {
  return {
    request: async request => responseOf(await transport(apiRequestOf(request))),
    watch: path => watch(transport, path),
    fetch: fetchOver(transport),
    get token() {
      return credentials.tokenOf(identity);
    },
    kubeconfig: options => credentials.kubeconfig(identity, options),
    kubeconfigFile: options => credentials.kubeconfigFile(identity, options),
  };
}

function apiRequestOf({ method = 'GET', path, headers = {}, body, signal }: TestRequest): ApiRequest {
  if (!METHODS.includes(method)) throw requestInvalid('method', `one of ${METHODS.join(', ')}`, method);
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw requestInvalid('path', 'a text that starts with /', path);
  const [pathname = '', query = ''] = split(path);
  const sent = body === undefined ? {} : { body: bytesOf(body) };
  return {
    method,
    path: pathname,
    query,
    headers: { ...contentType(method, body), ...lowerCased(headers) },
    ...sent,
    ...(signal === undefined ? {} : { signal }),
  };
}

function split(path: string): readonly string[] {
  const at = path.indexOf('?');
  return at < 0 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}

function contentType(method: ApiRequest['method'], body: TestRequest['body']): Readonly<Record<string, string>> {
  if (body === undefined) return {};
  return { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function bytesOf(body: object | string | Uint8Array): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function responseOf({ status, headers, body, stream }: ApiResponse): TestResponse {
  stream?.close('a watch is opened with watch()');
  if (stream !== undefined) throw requestInvalid('path', 'no watch: those are opened with watch(path)', 'watch=true');
  const text = (): string => Buffer.from(body).toString();
  return { status, headers, body, text, json: () => JSON.parse(text()) };
}

async function watch<T>(transport: Transport, path: string): Promise<TestWatch<T>> {
  const request = apiRequestOf({ path });
  const query = new URLSearchParams(request.query);
  query.set('watch', 'true');
  const answer = await transport({ ...request, query: query.toString() });
  if (answer.stream === undefined) throw watchRefused(path, answer.status, messageIn(answer.body));
  return watchOn<T>(answer.stream);
}

function messageIn(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  try {
    const status: { readonly message?: string } = JSON.parse(text);
    return status.message ?? text.trim();
  } catch {
    return text.trim();
  }
}

function watchOn<T>(stream: EventStream): TestWatch<T> {
  const next = async (): Promise<WatchEvent<T> | undefined> => {
    const frame = await stream.next();
    return frame === undefined ? undefined : JSON.parse(Buffer.from(frame).toString());
  };
  const close = (): void => stream.close('the test has seen enough');
  return { next, close, [Symbol.asyncIterator]: () => iterator(next, close) };
}

function iterator<T>(
  next: () => Promise<WatchEvent<T> | undefined>,
  close: () => void,
): AsyncIterator<WatchEvent<T>, undefined> {
  return {
    next: async () => {
      const event = await next();
      return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
    },
    return: () => {
      close();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}
