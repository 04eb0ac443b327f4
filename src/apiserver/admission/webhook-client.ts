// Calling a webhook: where it is, how long it may take, and what counts as an answer.

import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Core } from '../core.ts';
import type { Json, JsonObject } from '../parts.ts';
import { numberProblem } from '../request/exact-numbers.ts';
import { isObject, jsonTypeName, numberAt, stringAt } from '../rules/json.ts';
import type { WebhookAnswer, WebhookClient } from './webhook-port.ts';

const HTTPS_PORT = 443;

/** Reads a `clientConfig`: a URL, or a Service with a path. */
export function webhookClientIn(config: JsonObject): WebhookClient {
  const caPem = Buffer.from(stringAt(config, 'caBundle'), 'base64').toString();
  if (!isObject(config.service)) return { url: stringAt(config, 'url'), service: undefined, caPem };
  const { service: said } = config;
  const service = {
    namespace: stringAt(said, 'namespace'),
    name: stringAt(said, 'name'),
    port: numberAt(said, 'port') ?? HTTPS_PORT,
  };
  const url = `https://${service.name}.${service.namespace}.svc:${service.port}${stringAt(said, 'path')}`;
  return { url, service, caPem };
}

/** Where it is posted to: nothing in the path is doubled, climbs or trails, as the real server's client joins it. */
function targetOf(url: string, timeoutSeconds: number): string {
  const [, server = '', path = ''] = /^(\w+:\/\/[^/?#]*)([^?#]*)/.exec(url) ?? [];
  return `${server}/${cleaned(path)}?timeout=${timeoutSeconds}s`;
}

function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of decoded(path).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.map(part => encodeURI(part).replace(/[?#!'()*]/g, percented)).join('/');
}

const percented = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** A path that is no UTF-8 stays as it is written. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** There was no answer, or none that can be read; the message says why, in the words of the real server. */
export class CallFailed extends Error {}

/** Sends the review and reads what comes back. */
export async function callWebhook(
  { clock, parts }: Pick<Core, 'clock' | 'parts'>,
  { url: base, service, caPem }: WebhookClient,
  review: JsonObject,
  timeoutSeconds: number,
): Promise<JsonObject> {
  const url = targetOf(base, timeoutSeconds);
  const { webhooks } = parts;
  if (webhooks === undefined) throw new CallFailed(`Post ${JSON.stringify(url)}: this server calls no webhooks`);
  const body = new TextEncoder().encode(JSON.stringify(review));
  const late = new AbortController();
  const cancel = clock.after(seconds(timeoutSeconds), () => late.abort());
  try {
    return readAnswer(await webhooks({ url, service, caPem, body, signal: late.signal }));
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    throw new CallFailed(`Post ${JSON.stringify(url)}: ${messageOf(error)}`);
  } finally {
    cancel();
  }
}

function readAnswer({ status, contentType, body }: WebhookAnswer): JsonObject {
  const text = new TextDecoder().decode(body);
  if (status >= 400) throw new CallFailed(errorText(status, contentType.startsWith('text/') ? text : '', parsed(text)));
  if (text === '') {
    throw new CallFailed(`0-length response with status code: ${status} and content type: ${contentType}`);
  }
  const value = parsed(text);
  const problem = numberProblem(text);
  if (problem !== undefined) throw new CallFailed(problem);
  if (isObject(value)) return value;
  const into =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  // What is no JSON is read as YAML there, and a YAML text is a string.
  const type = value === undefined ? 'string' : jsonTypeName(value);
  throw new CallFailed(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${into}`,
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
};

function errorText(status: number, text: string, told: Json | undefined): string {
  if (isObject(told) && told.kind === 'Status') return stringAt(told, 'message');
  const known = ERROR_TEXTS[status];
  if (known !== undefined) return known;
  return `an error on the server (${JSON.stringify(text || 'unknown')}) has prevented the request from succeeding`;
}

/** `admission.k8s.io/v1, Kind=AdmissionReview`, as Go prints it. */
export function kindText(object: JsonObject): string {
  const version = stringAt(object, 'apiVersion');
  return `${version.includes('/') ? version : `/${version}`}, Kind=${stringAt(object, 'kind')}`;
}
