// Continue tokens: where a list in pages goes on, and at which revision it began.

import { isObject } from '../rules/json.ts';

/** `revision` -1: go on in the newest state, because the one it began in is forgotten. */
export interface ContinueToken {
  readonly revision: number;
  /** The last key that was seen, as `keyInStorage` writes it. */
  readonly after: string;
}

export function encodeToken({ revision, after }: ContinueToken): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\0` });
  return Buffer.from(text).toString('base64url');
}

/** Undefined when it is no token of ours. */
export function decodeToken(token: string): ContinueToken | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!isObject(value) || value.v !== 'meta.k8s.io/v1') return undefined;
    const { rv, start } = value;
    if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0 || typeof start !== 'string') return undefined;
    return { revision: rv, after: start.replace(/\0$/, '') };
  } catch {
    return undefined;
  }
}
