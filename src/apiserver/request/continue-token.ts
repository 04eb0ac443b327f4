// Continue tokens: where a list in pages goes on, and at which revision it began.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, jsonTypeName } from '../rules/json.ts';
import { jsonProblem } from './json-problem.ts';

/** `revision` -1: go on in the newest state, because the one it began in is forgotten. */
export interface ContinueToken {
  readonly revision: number;
  /** The last key that was seen, as it reads inside of the collection that is listed. */
  readonly after: string;
}

const VERSION = 'meta.k8s.io/v1';

export function encodeToken({ revision, after }: ContinueToken): string {
  const text = JSON.stringify({ v: VERSION, rv: revision, start: `${after}\0` });
  return Buffer.from(text).toString('base64url');
}

/** A sentence, when it is no token. */
export function decodeToken(token: string): ContinueToken | string {
  const bytes = bytesOf(token);
  if (typeof bytes === 'string') return bytes;
  const text = bytes.toString();
  try {
    return tokenOf(JSON.parse(text));
  } catch {
    return jsonProblem(bytes);
  }
}

/** Base64 for addresses, without padding: Go names the first byte that is none. */
function bytesOf(token: string): Buffer | string {
  const bad = /[^\w-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : undefined);
  return bad === undefined ? Buffer.from(token, 'base64url') : `illegal base64 data at input byte ${bad}`;
}

const FIELDS: ReadonlyMap<string, 'string' | 'int64'> = new Map([
  ['v', 'string'],
  ['rv', 'int64'],
  ['start', 'string'],
]);

function tokenOf(value: Json): ContinueToken | string {
  const token = value ?? {};
  if (!isObject(token))
    return `json: cannot unmarshal ${jsonTypeName(token)} into Go value of type storage.continueToken`;
  const misfit = misfitIn(token);
  if (misfit !== undefined) return misfit;
  const [v, rv, start] = [token.v ?? '', token.rv ?? 0, token.start ?? ''];
  if (v !== VERSION) return `server does not recognize this encoded version ${v}`;
  if (!Number.isSafeInteger(rv) || rv === 0) return `incorrect encoded start resourceVersion (version ${VERSION})`;
  if (start === '') return `encoded start key empty (version ${VERSION})`;
  return keyOf(Number(rv), String(start));
}

/** What Go says of the first field that it cannot read. */
function misfitIn(token: JsonObject): string | undefined {
  for (const [name, field] of Object.entries(token)) {
    const type = FIELDS.get(name);
    const found = type === undefined || field === null ? undefined : misread(field, type);
    if (found !== undefined)
      return `json: cannot unmarshal ${found} into Go struct field continueToken.${name} of type ${type}`;
  }
  return undefined;
}

function misread(field: Json, type: 'string' | 'int64'): string | undefined {
  if (type === 'string') return typeof field === 'string' ? undefined : jsonTypeName(field);
  if (typeof field !== 'number') return jsonTypeName(field);
  return Number.isSafeInteger(field) ? undefined : `number ${field}`;
}

/** Keys that would lead out of their collection are refused. */
function keyOf(revision: number, start: string): ContinueToken | string {
  const key = start.replace(/^\//, '');
  if (key === '' || key.split('/').some(part => part === '' || part === '.' || part === '..')) return start;
  return { revision, after: key.replace(/\0$/, '') };
}
