// A request's body becomes an object: JSON, YAML or protobuf, within bounds.

import { parse as parseYaml, type Tags } from 'yaml';
import { messageOf } from '../../base/errors.ts';
import type { ApiRequest } from '../../kube/transport.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../answer/status.ts';
import type { Json, JsonObject, ProtobufCodec } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { MEDIA_TYPES } from './accept.ts';

/** kube-apiserver's limit on a request's body. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;
/** Deeper values are refused: everything that walks an object does so by recursion. */
const MAX_DEPTH = 512;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The media type of the body, without its parameters. */
export function contentType(request: ApiRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The object in the body. `protobuf` is absent where the endpoint takes none. */
export function readObject(request: ApiRequest, protobuf: ProtobufCodec | undefined): JsonObject {
  const bytes = bytesOf(request);
  const value = decode(contentType(request), bytes, protobuf);
  if (!isObject(value)) throw badRequest('the object provided is unrecognized: a JSON object was expected');
  return value;
}

/** Any JSON or YAML value in the body. */
export function readValue(request: ApiRequest, form: 'json' | 'yaml'): Json {
  return form === 'json' ? parseJson(bytesOf(request)) : parseYamlBytes(bytesOf(request));
}

/** Whether there is a body at all: a DELETE may have one. */
export const hasBody = (request: ApiRequest): boolean => (request.body?.length ?? 0) > 0;

function bytesOf(request: ApiRequest): Uint8Array {
  const bytes = request.body ?? new Uint8Array();
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`);
  return bytes;
}

function decode(type: string, bytes: Uint8Array, protobuf: ProtobufCodec | undefined): Json {
  if (type === '' || type === MEDIA_TYPES.json) return parseJson(bytes);
  if (type === MEDIA_TYPES.yaml) return parseYamlBytes(bytes);
  if (type === MEDIA_TYPES.protobuf && protobuf !== undefined) return parseProtobuf(bytes, protobuf);
  throw unsupportedMediaType(type, Object.values(MEDIA_TYPES));
}

function parseJson(bytes: Uint8Array): Json {
  const text = textOf(bytes);
  if (depthExceeds(text)) throw badRequest(`json: exceeded max depth of ${MAX_DEPTH}`);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw badRequest(`error decoding JSON: ${messageOf(error)}`);
  }
}

/** As Go's YAML reader: no dates, and `1:30` is a text. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter(tag => typeof tag === 'string' || !(tag.tag.endsWith(':timestamp') || isTime(tag)));
}

const isTime = (tag: object): boolean => 'format' in tag && tag.format === 'TIME';

function parseYamlBytes(bytes: Uint8Array): Json {
  const text = textOf(bytes);
  try {
    const value: unknown = parseYaml(text, {
      version: '1.1',
      customTags: withoutTimes,
      maxAliasCount: 100,
      uniqueKeys: true,
    });
    // Through JSON: no aliases, no dates, no maps with other keys than strings are left.
    return parseJson(new TextEncoder().encode(JSON.stringify(value ?? null)));
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: ${messageOf(error)}`);
  }
}

function parseProtobuf(bytes: Uint8Array, protobuf: ProtobufCodec): Json {
  try {
    return protobuf.decode(bytes);
  } catch (error) {
    throw badRequest(messageOf(error));
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest('the body of the request is not UTF-8');
  }
}

const NESTING: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
/** A string, or one bracket: strings are skipped whole. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]]/gs;

/** Whether brackets nest deeper than allowed; a text shorter than that cannot. */
function depthExceeds(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    depth += NESTING[token] ?? 0;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
