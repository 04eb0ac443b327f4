// A request's body becomes an object: JSON, YAML or protobuf, within bounds.

import { messageOf } from '../../base/errors.ts';
import type { ApiRequest } from '../../kube/transport.ts';
import { badRequest, type Refusal, tooLarge, unsupportedMediaType } from '../answer/status.ts';
import { BadMessage, type Json, type JsonObject, type ProtobufCodec, type TypeMeta } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { MEDIA_TYPES } from './accept.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { numberProblem } from './exact-numbers.ts';
import { jsonProblem } from './json-problem.ts';
import { yamlValue } from './yaml.ts';

/** kube-apiserver's limit on a request's body. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;
/** Deeper values are refused: everything that walks an object does so by recursion. */
const MAX_DEPTH = 512;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The media type of the body, without its parameters. */
export function contentType(request: ApiRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

const PARAMETERS = /^[^;]*(?:;\s*[^\s;="/,]+=(?:[^\s;="/,]+|"(?:[^"\\]|\\.)*")\s*)*;?\s*$/;

/** A type whose parameters cannot be read, or that says two things with one of them, is none. */
function hasReadableType({ headers }: ApiRequest): boolean {
  const said = headers['content-type'] ?? '';
  if (!said.includes(';')) return true;
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of said.matchAll(/;\s*([^\s;=]+)=("(?:[^"\\]|\\.)*"|[^\s;]*)/g)) {
    const before = values.get(name.toLowerCase());
    if (before !== undefined && before !== value) return false;
    values.set(name.toLowerCase(), value);
  }
  return PARAMETERS.test(said);
}

/** How a body that cannot be read is refused. */
type Problem = (why: string, summary: string) => Refusal;

export interface Reading {
  /** Absent where the endpoint takes no protobuf. */
  readonly protobuf: ProtobufCodec | undefined;
  readonly problem: Problem;
  /** The kind of a message whose envelope names none. */
  readonly into?: TypeMeta;
  /** How bytes that are no protobuf are refused; left out: with what is wrong. */
  readonly badMessage?: (error: BadMessage, summary: string) => Refusal;
}

export interface Body {
  readonly value: Json;
  /** The JSON as it came; undefined for other formats. */
  readonly text: string | undefined;
  /** Keys that a map of the YAML has twice: a sentence each. */
  readonly repeated?: readonly string[];
  /** The beginning of the body, as refusals show it. */
  readonly summary: () => string;
}

/** Whatever the body says. */
export function readBody(request: ApiRequest, reading: Reading): Body {
  const { protobuf, problem } = reading;
  const bytes = bytesOf(request);
  if (!hasReadableType(request)) throw unsupportedMediaType(Object.values(MEDIA_TYPES));
  const type = contentType(request);
  // Only refusals show it.
  const summary = (): string => summaryOf(bytes);
  if (type === MEDIA_TYPES.yaml) {
    const refusal = (why: string): Refusal => reading.badMessage?.(new BadMessage(why), summary()) ?? badRequest(why);
    return { ...parseYamlBytes(bytes, refusal), text: undefined, summary };
  }
  if (type === MEDIA_TYPES.protobuf && protobuf !== undefined) {
    return { value: parseProtobuf(bytes, protobuf, { ...reading, summary }), text: undefined, summary };
  }
  if (type !== '' && type !== MEDIA_TYPES.json) throw unsupportedMediaType(Object.values(MEDIA_TYPES));
  const text = textOf(bytes);
  return { value: parseJson(text, why => problem(why, summary())), text, summary };
}

/** The object in the body, for endpoints that speak a kind of their own. */
export function readObject(request: ApiRequest, protobuf: ProtobufCodec | undefined): JsonObject {
  const { value } = readBody(request, { protobuf, problem: (why, summary) => badRequest(`${why} (${summary})`) });
  if (!isObject(value)) throw badRequest('the object provided is unrecognized: a JSON object was expected');
  return value;
}

/** What most patches are refused with. */
export const DECODING_PATCH = 'error decoding patch: ';

/** The JSON in the body of a patch, as it came and as it reads; `prefix` stands before what is wrong with it. */
export function readPatch(
  request: ApiRequest,
  prefix = DECODING_PATCH,
): { readonly value: Json; readonly text: string } {
  const text = textOf(bytesOf(request));
  const value = parseJson(text, why => badRequest(`${prefix}${why}`));
  const problem = numberProblem(text, Array.isArray(value) ? 'Go struct field jsonPatchOp.value' : undefined);
  if (problem !== undefined) throw badRequest(`${prefix}${problem}`);
  return { value, text };
}

/** What an apply states, in YAML or JSON, and a sentence for each key that it says twice. */
export function readApplied(request: ApiRequest): { readonly value: Json; readonly repeated: readonly string[] } {
  const bytes = bytesOf(request);
  const { value, repeated } = parseYamlBytes(bytes);
  return { value, repeated: repeated ?? repeatedKeys(textOf(bytes), value) };
}

/** JSON is YAML too: its keys are on lines. */
function repeatedKeys(text: string, value: Json): readonly string[] {
  if (duplicateFields(text, value).length === 0) return [];
  const read = yamlValue(text, MAX_DEPTH);
  return 'problem' in read ? [] : read.repeated;
}

/** Whether there is a body at all: a DELETE may have one. */
export const hasBody = (request: ApiRequest): boolean => (request.body?.length ?? 0) > 0;

function bytesOf(request: ApiRequest): Uint8Array {
  const bytes = request.body ?? new Uint8Array();
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`);
  return bytes;
}

const SUMMARY_BYTES = 30;

/** Text of what looks like an object, else hex. */
function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, SUMMARY_BYTES));
  const shown = bytes[0] === '{'.charCodeAt(0) ? start.toString() : start.toString('hex');
  return bytes.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}

function parseJson(text: string, problem: (why: string) => Refusal): Json {
  if (depthExceeds(text)) throw problem(`json: exceeded max depth of ${MAX_DEPTH}`);
  try {
    const value = JSON.parse(text) as Json;
    return HALF_CHARACTER.test(text) ? wellFormed(value) : value;
  } catch {
    throw problem(jsonProblem(text));
  }
}

/** Half a character can be written only in an escape: UTF-8 has none. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;

/** As Go reads it: half a character is the sign for what cannot be read. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), wellFormed(each)]));
}

/** YAML costs a hundred times what JSON costs: larger bodies must be JSON, which most clients send as YAML too. */
const MAX_YAML_BYTES = 1024 * 1024;

/** Through JSON: no aliases, no dates, no maps with other keys than strings are left. `refusal`: of what JSON cannot say. */
function parseYamlBytes(
  bytes: Uint8Array,
  refusal: (why: string) => Refusal = badRequest,
): Pick<Body, 'value' | 'repeated'> {
  const text = textOf(bytes).replace(/^\ufeff/, '');
  if (/^\s*[{[]/.test(text) && isJson(text) && numberProblem(text) === undefined) {
    return { value: parseJson(text, badRequest) };
  }
  if (bytes.length > MAX_YAML_BYTES) throw tooLarge(`Request entity too large: limit is ${MAX_YAML_BYTES} for YAML`);
  const value = yamlValue(text, MAX_DEPTH);
  if ('problem' in value && value.isOfJson) throw refusal(value.problem);
  if ('problem' in value) throw badRequest(`error converting YAML to JSON: ${value.problem}`);
  return { value: parseJson(JSON.stringify(value.value ?? null), badRequest), repeated: value.repeated };
}

/** As the YAML reader of Go tells several mistakes. */
export const yamlErrors = (lines: readonly string[]): string => `yaml: unmarshal errors:\n  ${lines.join('\n  ')}`;

type Message = Pick<Reading, 'into' | 'badMessage'> & Pick<Body, 'summary'>;

function parseProtobuf(bytes: Uint8Array, protobuf: ProtobufCodec, { into, badMessage, summary }: Message): Json {
  try {
    return protobuf.decode(bytes, into);
  } catch (error) {
    if (error instanceof BadMessage && badMessage !== undefined) throw badMessage(error, summary());
    throw badRequest(messageOf(error));
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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

/** Whether brackets nest deeper than allowed; a text with fewer of them cannot. */
function depthExceeds(text: string): boolean {
  if (text.length <= MAX_DEPTH || counted(text, '{') + counted(text, '[') <= MAX_DEPTH) return false;
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    depth += NESTING[token] ?? 0;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** How often the character is in the text, strings included; no more than matter are counted. */
function counted(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= MAX_DEPTH; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}
