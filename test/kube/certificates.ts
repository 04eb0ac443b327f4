// Keys and certificates of a real control plane under test: one authority signs its server and its clients.

import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

x509.cryptoProvider.set(webcrypto);

export interface PemPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  readonly certificate: string;
  readonly key: string;
  /** A client certificate: user name and groups, as Kubernetes reads its subject. */
  client(user: string, groups: readonly string[]): Promise<PemPair>;
  /** A server certificate for the loopback names. */
  server(commonName: string): Promise<PemPair>;
}

export async function newAuthority(): Promise<Authority> {
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=pippin-test-ca',
    ...validity(),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const issue = (subject: x509.JsonName, extensions: x509.Extension[]): Promise<PemPair> =>
    certified(subject, extensions, { subject: root.subject, key: keys.privateKey });
  return {
    certificate: root.toString('pem'),
    key: await pemOf(keys.privateKey),
    client: (user, groups) =>
      issue([...groups.map(group => ({ O: [group] })), { CN: [user] }], [usage(x509.ExtendedKeyUsage.clientAuth)]),
    server: commonName => issue([{ CN: [commonName] }], [usage(x509.ExtendedKeyUsage.serverAuth), LOOPBACK_NAMES]),
  };
}

/** A key pair for service account tokens, PEM. */
export async function newSigningKeys(): Promise<{ readonly key: string; readonly publicKey: string }> {
  const keys = await newKeys();
  const publicKey = x509.PemConverter.encode(await webcrypto.subtle.exportKey('spki', keys.publicKey), 'PUBLIC KEY');
  return { key: await pemOf(keys.privateKey), publicKey };
}

const LOOPBACK_NAMES = new x509.SubjectAlternativeNameExtension([
  { type: 'dns', value: 'localhost' },
  { type: 'dns', value: 'kubernetes.default.svc' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
]);

const usage = (kind: x509.ExtendedKeyUsage): x509.Extension => new x509.ExtendedKeyUsageExtension([kind]);

async function certified(
  subject: x509.JsonName,
  extensions: x509.Extension[],
  issuer: { subject: string; key: webcrypto.CryptoKey },
): Promise<PemPair> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer.subject,
    ...validity(),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer.key,
    extensions: [...extensions, new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true)],
  });
  return { certificate: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
}

const validity = (): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(Date.now() - DAY_MS),
  notAfter: new Date(Date.now() + 30 * DAY_MS),
});

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
