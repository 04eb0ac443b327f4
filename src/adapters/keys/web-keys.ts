// PEM keys as the X.509 library wants them.

import 'reflect-metadata';
import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { Name } from '@peculiar/x509';

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** How a key of this kind signs certificates. */
export const signingAlgorithm = (key: KeyObject): typeof ECDSA | typeof RSA =>
  key.asymmetricKeyType === 'rsa' ? RSA : ECDSA;

export function importPrivate(pem: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(pem);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', new Uint8Array(der), signingAlgorithm(key), true, ['sign']);
}

export function importPublic(pem: string): Promise<webcrypto.CryptoKey> {
  const key = createPublicKey(pem);
  const der = key.export({ type: 'spki', format: 'der' });
  return webcrypto.subtle.importKey('spki', new Uint8Array(der), signingAlgorithm(key), true, ['verify']);
}

/**
 * Organizations first, then the common name. The values are given as typed strings: the library reads a plain string
 * as an expression with quotes, by which `x="system:masters"` would become another group.
 */
export function subjectOf(commonName: string, organizations: readonly string[]): Name {
  return new Name([
    ...organizations.map(organization => ({ O: [{ utf8String: organization }] })),
    { CN: [{ utf8String: commonName }] },
  ]);
}
