// JSON Web Tokens in their compact form: how they are written and taken apart. What they claim is judged elsewhere.

import type { Signatures } from '../../base/keys.ts';
import type { Json, JsonObject } from '../parts.ts';
import { isObject, textAt } from './fields.ts';

/** Longer tokens are not looked at: nobody issues them. */
const LONGEST = 16 * 1024;

/** A token taken apart; nothing in it is trusted yet. */
export interface Jwt {
  readonly algorithm: string;
  readonly keyId: string;
  readonly claims: JsonObject;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

export interface SigningKey {
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
}

/** How tokens name the key that signed them. */
export const keyIdOf = (signatures: Signatures, publicKeyPem: string): string =>
  Buffer.from(signatures.fingerprint(publicKeyPem)).toString('base64url');

export function signJwt(signatures: Signatures, key: SigningKey, claims: JsonObject): string {
  const header = { alg: signatures.algorithm(key.publicKeyPem), kid: keyIdOf(signatures, key.publicKeyPem) };
  const signed = `${segment(header)}.${segment(claims)}`;
  const signature = signatures.sign(key.privateKeyPem, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

/** Undefined for anything that is no token. */
export function parseJwt(token: string): Jwt | undefined {
  if (token.length > LONGEST) return undefined;
  const [header, claims, signature, ...rest] = token.split('.');
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) return undefined;

  const [head, body] = [jsonOf(header), jsonOf(claims)];
  if (!isObject(head) || !isObject(body)) return undefined;
  return {
    algorithm: textAt(head, 'alg'),
    keyId: textAt(head, 'kid'),
    claims: body,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** Only the key decides the algorithm: a token that names another one is refused. */
export function isSignedBy(jwt: Jwt, signatures: Signatures, publicKeyPem: string): boolean {
  if (jwt.algorithm !== signatures.algorithm(publicKeyPem)) return false;
  if (jwt.keyId !== '' && jwt.keyId !== keyIdOf(signatures, publicKeyPem)) return false;
  return signatures.verify(publicKeyPem, jwt.signed, jwt.signature);
}

const segment = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
