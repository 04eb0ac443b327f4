// pods/proxy, services/proxy and nodes/proxy: a request is passed on as it is, and so is its answer, whose links are made
// to lead through here again.

import { messageOf } from '../../../base/errors.ts';
import type { ApiResponse } from '../../../kube/transport.ts';
import type { ServedRequest, ServedResponse } from '../../access.ts';
import { serviceUnavailable } from '../../answer/status.ts';
import type { Call } from '../../core.ts';
import type { Kubelets } from '../../kubelets.ts';
import { asksToUpgrade } from '../connect.ts';
import { rewrittenPage } from './html.ts';
import { joined, type Place, relocated } from './links.ts';
import { type Target, targetOf } from './target.ts';

/** Of this connection alone, or of the caller's own credentials. */
const NOT_PASSED_ON =
  /^(authorization|impersonate-.*|connection|proxy-connection|keep-alive|proxy-authenticate|proxy-authorization|te|trailer|upgrade|content-length|transfer-encoding|:.*)$/;

export async function proxied(call: Call, kubelets: Kubelets): Promise<ServedResponse> {
  const { query } = call;
  const request: ServedRequest = call.request;
  const target = targetOf(call);
  const rest = restOf(call);
  const text = query.size === 0 ? '' : `?${request.query}`;
  const method = request.otherMethod ?? request.method;
  if (asksToUpgrade(call)) return carried(target, method, `${rest === '' ? '/' : encoded(rest)}${text}`);
  if (rest === '' && (method === 'GET' || method === 'HEAD')) return toFolder(`${request.path}/${text}`);
  const place = placeOf(call, target, rest);
  const answer = await asked(kubelets, {
    ...target,
    method,
    path: `${rest === '' ? '/' : encoded(rest)}${text}`,
    headers: { ...passedOn(request), 'x-forwarded-uri': encoded(`${place.before}${rest === '' ? '/' : rest}`) },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return shown(answer, place);
}

/** What follows `proxy`, as it is sent on. */
function restOf({ request, path }: Call): string {
  const rest = path.rest === '' ? '' : joined('', path.rest);
  return request.path.endsWith('/') && !rest.endsWith('/') ? `${rest}/` : rest;
}

const encoded = (path: string): string => encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);

function carried(target: Target, method: string, path: string): ServedResponse {
  return { status: 101, headers: {}, body: new Uint8Array(), onward: { ...target, method, path, headers: {} } };
}

/** A path of nothing would make relative links lead elsewhere. */
const toFolder = (location: string): ServedResponse => ({
  status: 301,
  headers: { location, 'cache-control': 'no-cache, private' },
  body: new Uint8Array(),
});

/** As the real server: where the path was not written in its plain form, all of it counts as what stands before. */
function placeOf({ request }: Call, { host, port }: Target, rest: string): Place {
  const path = decodeURIComponent(request.path);
  const before = path.endsWith(rest) ? path.slice(0, path.length - rest.length) : joined('', path);
  return { before, host: `${host.includes(':') ? `[${host}]` : host}:${port}`, askedHost: request.headers.host ?? '' };
}

function passedOn({ headers, from }: ServedRequest): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name)));
  const through = [headers['x-forwarded-for'], from].filter(each => each !== undefined && each !== '');
  return through.length === 0 ? kept : { ...kept, 'x-forwarded-for': through.join(', ') };
}

async function asked(kubelets: Kubelets, what: Parameters<Kubelets['ask']>[0]): Promise<ApiResponse> {
  try {
    return await kubelets.ask(what);
  } catch (error) {
    throw serviceUnavailable(`error trying to reach service: ${messageOf(error)}`);
  }
}

/** Who may read an answer from another page is for this server to say. */
const CORS = /^access-control-allow-(credentials|headers|methods|origin)$/;
const OF_ONE_HOP = /^(proxy-authenticate|proxy-connection|te|trailer|upgrade)$/;

async function shown(answer: ApiResponse, place: Place): Promise<ServedResponse> {
  const kept = Object.entries(answer.headers).filter(([name]) => !CORS.test(name) && !OF_ONE_HOP.test(name));
  const cached = answer.headers['cache-control'];
  const cache = `no-cache, private${cached === undefined ? '' : `, ${cached}`}`;
  const headers: Record<string, string> = { ...Object.fromEntries(kept), 'cache-control': cache };
  if (headers.location !== undefined)
    return { ...answer, headers: { ...headers, location: relocated(headers.location, place) } };
  const [type] = (headers['content-type'] ?? '').split(';');
  if (type?.trim() !== 'text/html') return { ...answer, headers };
  const { stream: _, ...page } = answer;
  return { ...page, headers, body: await rewrittenPage(answer, link => relocated(link, place)) };
}
