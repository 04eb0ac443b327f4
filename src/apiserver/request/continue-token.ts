// Continue tokens: where a list in pages goes on, and at which revision it began.

import { isObject } from '../rules/json.ts';
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

function tokenOf(value: unknown): ContinueToken | string {
  const { v = '', rv = 0, start = '' } = isObject(value) ? value : {};
  const bad = Object.entries({ v: [v, 'string'], rv: [rv, 'int64'], start: [start, 'string'] } as const).find(
    ([, [field, type]]) => typeof field !== (type === 'int64' ? 'number' : type),
  );
  if (bad !== undefined) {
    const [name, [field, type]] = bad;
    return `json: cannot unmarshal ${typeof field} into Go struct field continueToken.${name} of type ${type}`;
  }
  if (v !== VERSION) return `server does not recognize this encoded version ${v}`;
  if (!Number.isSafeInteger(rv) || rv === 0) return `incorrect encoded start resourceVersion (version ${VERSION})`;
  if (start === '') return `encoded start key empty (version ${VERSION})`;
  return keyOf(Number(rv), String(start));
}

/** Keys that would lead out of their collection are refused. */
function keyOf(revision: number, start: string): ContinueToken | string {
  const key = start.replace(/^\//, '');
  if (key === '' || key.split('/').some(part => part === '' || part === '.' || part === '..')) return start;
  return { revision, after: key.replace(/\0$/, '') };
}
