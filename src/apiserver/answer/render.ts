// How an answer is written: rows are joined from bytes that were serialised once; everything else is serialised here.

import { toYaml } from '../../base/yaml/document.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import type { ServedResponse } from '../access.ts';
import { apiVersionOf } from '../core.ts';
import { servedForm, showsStoredBytes } from '../objects/forms.ts';
import type { JsonObject, ProtobufCodec, Resource } from '../parts.ts';
import { type Accepted, type Format, MEDIA_TYPES } from '../request/accept.ts';
import { without } from '../rules/json.ts';
import type { Row } from '../store.ts';
import type { Refusal } from './status.ts';

const encoder = new TextEncoder();
const COMMA = encoder.encode(',');
const OPEN = encoder.encode('{');
const LINE_END = encoder.encode('\n');

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Any object, in the accepted format. */
export function objectAnswer(
  status: number,
  object: JsonObject,
  accepted: Pick<Accepted, 'format'>,
  protobuf?: ProtobufCodec,
): ApiResponse {
  return answer(status, accepted.format, serialise(object, accepted.format, protobuf));
}

/** A refusal outside of the handler, where nobody has asked yet what the client accepts. */
export const refusalJson = ({ status }: Refusal): ApiResponse =>
  answer(status.code ?? 500, 'json', encoder.encode(`${JSON.stringify(status)}\n`));

/** The row as an answer: a line of JSON. */
export const rowLine = (row: Row, resource: Resource): Uint8Array =>
  joined([headOf(resource), bodyIn(row, resource), LINE_END]);

/** The row as JSON: `kind` and `apiVersion` of this resource, then the bytes of the row. */
export function rowJson(row: Row, resource: Resource): Uint8Array {
  return joined([headOf(resource), bodyIn(row, resource)]);
}

/** What follows the head of an object. */
function bodyIn(row: Row, resource: Resource): Uint8Array {
  if (showsStoredBytes(resource)) return row.body.subarray(1);
  const rest = without(servedForm(row.object, resource), 'apiVersion', 'kind');
  return encoder.encode(JSON.stringify(rest).slice(1));
}

/** What is said about a list besides its items. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Lists of so many bytes are answered in pieces. */
const LARGE_BYTES = 128 * 1024;

/** A list of stored objects as JSON; it is put together only as it is read, from the bytes that are stored. */
export function listAnswer(rows: readonly Row[], resource: Resource, meta: ListMeta): ApiResponse {
  const size = rows.reduce((sum, row) => sum + row.body.length, 0);
  if (size < LARGE_BYTES) return answer(200, 'json', joined([...listPieces(rows, resource, meta)]));
  const { status, headers } = answer(200, 'json', NOTHING);
  return inPieces(status, headers, () => listPieces(rows, resource, meta));
}

const NOTHING = new Uint8Array();

/** The body is put together only for who asks for the whole of it. */
function inPieces(status: number, headers: ApiResponse['headers'], pieces: () => Iterable<Uint8Array>): ApiResponse {
  return {
    status,
    headers,
    pieces,
    get body() {
      return joined([...pieces()]);
    },
  };
}

/** The answer with these headers besides its own. One in pieces is not spread: that would put it together (api-9). */
export function withHeaders(answered: ServedResponse, more: Readonly<Record<string, string>>): ServedResponse {
  const headers = { ...answered.headers, ...more };
  const { status, pieces } = answered;
  return pieces === undefined ? { ...answered, headers } : inPieces(status, headers, pieces);
}

/** Items of built-in kinds carry no kind of their own, as on the real server. */
function* listPieces(rows: readonly Row[], resource: Resource, meta: ListMeta): Generator<Uint8Array> {
  const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))},"metadata":${JSON.stringify(meta)},"items":[`;
  yield encoder.encode(head);
  // A list has thousands of items: what is written as it is stored is cut nowhere.
  const itemHead = resource.origin === 'builtin' ? OPEN : headOf(resource);
  const isAsStored = resource.origin === 'builtin' && showsStoredBytes(resource);
  let between = NOTHING;
  for (const row of rows) {
    yield between;
    between = COMMA;
    if (!isAsStored) yield itemHead;
    yield isAsStored ? row.body : bodyIn(row, resource);
  }
  yield encoder.encode(']}\n');
}

/** The same list as an object, for the formats that are not joined from bytes. */
export function listObject(rows: readonly Row[], resource: Resource, meta: ListMeta): JsonObject {
  const items = rows.map(row => {
    const served = servedForm(row.object, resource);
    return resource.origin === 'builtin' ? without(served, 'apiVersion', 'kind') : served;
  });
  return { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata: { ...meta }, items };
}

/** The bytes of any object. */
export function serialise(object: JsonObject, format: Format, protobuf?: ProtobufCodec): Uint8Array {
  if (format === 'yaml') return encoder.encode(toYaml(object));
  if (format === 'protobuf' && protobuf !== undefined) return protobuf.encode(object);
  return encoder.encode(`${JSON.stringify(object)}\n`);
}

export function answer(status: number, format: Format, body: Uint8Array): ApiResponse {
  return { status, headers: { 'content-type': MEDIA_TYPES[format], 'cache-control': 'no-cache, private' }, body };
}

export function textAnswer(status: number, text: string): ApiResponse {
  const usual = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache, private' };
  // As Go's file server and error pages: a browser shall not guess.
  const headers = status < 400 ? usual : { ...usual, 'x-content-type-options': 'nosniff' };
  return { status, headers, body: encoder.encode(text) };
}

/** The same for all objects of a resource. */
const heads = new WeakMap<Resource, Uint8Array>();

/** `{"kind":"Pod","apiVersion":"v1",` */
function headOf(resource: Resource): Uint8Array {
  const known = heads.get(resource);
  if (known !== undefined) return known;
  const text = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))},`;
  const head = encoder.encode(text);
  heads.set(resource, head);
  return head;
}

/** One array of all bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
