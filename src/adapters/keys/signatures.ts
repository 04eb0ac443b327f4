// Signatures over tokens: ES256 with P-256 keys, RS256 with RSA keys.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';

/** Parsing a PEM costs more than using the key; few keys are ever in use. */
const parsed = new Map<string, KeyObject>();
const REMEMBERED = 16;

export function algorithm(publicKeyPem: string): 'ES256' | 'RS256' {
  return remembered(publicKeyPem, createPublicKey).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
}

export function sign(privateKeyPem: string, data: Uint8Array): Uint8Array {
  const key = remembered(privateKeyPem, createPrivateKey);
  return signBytes('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
}

export function verify(publicKeyPem: string, data: Uint8Array, signature: Uint8Array): boolean {
  const key = remembered(publicKeyPem, createPublicKey);
  return verifyBytes('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

export function fingerprint(publicKeyPem: string): Uint8Array {
  const der = remembered(publicKeyPem, createPublicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest();
}

function remembered(pem: string, parse: (pem: string) => KeyObject): KeyObject {
  const known = parsed.get(pem);
  if (known !== undefined) return known;
  if (parsed.size >= REMEMBERED) parsed.clear();
  const key = parse(pem);
  parsed.set(pem, key);
  return key;
}
