// Keys for fault runs: every value comes from the seed, is well-formed PEM, and protects nothing.

import type {
  CertificateAuthority,
  CertificateRequest,
  Cryptography,
  KeyPair,
  ReadCertificate,
  RequestedCertificate,
  SshKeyPair,
} from '../../src/base/keys.ts';
import type { Random } from '../../src/base/random.ts';
import { digestOf, pem, unpem } from './pem.ts';

/** What stands inside a simulated certificate or request. */
interface Body {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKeyPem: string;
  /** The signer's public key: an authority's, or the request's own. */
  readonly signedBy: string;
}

const CERTIFICATE = 'CERTIFICATE';
const REQUEST = 'CERTIFICATE REQUEST';
const EMPTY = { organizations: [], dnsNames: [], ipAddresses: [], notBefore: 0, notAfter: 0 };

/** The same `random` (a stream of its own) and the same calls give the same keys. Nothing here waits for real work. */
export function seededKeys(random: Random): Cryptography {
  const privateKey = (): string => pem('PRIVATE KEY', Buffer.from(random.bytes(32)));
  const pair = (): KeyPair => {
    const privateKeyPem = privateKey();
    return { privateKeyPem, publicKeyPem: publicOf(privateKeyPem) };
  };
  return {
    pair: () => Promise.resolve(pair()),
    sshPair: comment => Promise.resolve(sshPair(random, comment)),
    authority: (commonName, notBefore, notAfter) =>
      Promise.resolve(authority(pair(), { commonName, notBefore, notAfter })),
    certify: (signer, publicKeyPem, request) => Promise.resolve(certify(signer, publicKeyPem, request)),
    signingRequest: ({ privateKeyPem, publicKeyPem }, commonName, organizations) => {
      const signedBy = publicOf(privateKeyPem);
      return Promise.resolve(write(REQUEST, { ...EMPTY, commonName, organizations, publicKeyPem, signedBy }));
    },
    readRequest,
    readCertificate,
    algorithm: () => 'ES256',
    sign: (privateKeyPem, data) => digestOf(publicOf(privateKeyPem), data),
    verify: (publicKeyPem, data, signature) => digestOf(publicKeyPem, data).equals(signature),
    fingerprint: publicKeyPem => digestOf('fingerprint', Buffer.from(publicKeyPem)),
  };
}

/** The public half follows from the private one. */
const publicOf = (privateKeyPem: string): string => pem('PUBLIC KEY', digestOf('public', Buffer.from(privateKeyPem)));

function sshPair(random: Random, comment: string): SshKeyPair {
  const secret = Buffer.from(random.bytes(32));
  const type = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1');
  const blob = Buffer.concat([type, digestOf('ssh', secret)]).toString('base64');
  return { privateKey: pem('OPENSSH PRIVATE KEY', secret), publicKey: `ssh-ed25519 ${blob} ${comment}` };
}

function authority(
  { privateKeyPem, publicKeyPem }: KeyPair,
  says: Pick<Body, 'commonName' | 'notBefore' | 'notAfter'>,
): CertificateAuthority {
  const certificatePem = write(CERTIFICATE, { ...EMPTY, ...says, publicKeyPem, signedBy: publicKeyPem });
  return { certificatePem, privateKeyPem };
}

function certify(signer: CertificateAuthority, publicKeyPem: string, request: CertificateRequest): string {
  const { commonName, organizations = [], dnsNames = [], ipAddresses = [], notBefore, notAfter } = request;
  const signedBy = publicOf(signer.privateKeyPem);
  const names = { commonName, organizations, dnsNames, ipAddresses };
  return write(CERTIFICATE, { ...names, notBefore, notAfter, publicKeyPem, signedBy });
}

const write = (label: string, body: Body): string => pem(label, Buffer.from(JSON.stringify(body)));

function read(label: string, text: string): Body | undefined {
  const bytes = unpem(label, text);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function readRequest(text: string): RequestedCertificate | undefined {
  const body = read(REQUEST, text);
  if (body === undefined) return undefined;
  const { commonName, organizations, dnsNames, ipAddresses, publicKeyPem, signedBy } = body;
  const names = { dnsNames, ipAddresses, emailAddresses: [], uris: [] };
  return { commonName, organizations, ...names, publicKeyPem, isSelfSigned: signedBy === publicKeyPem };
}

function readCertificate(text: string): ReadCertificate | undefined {
  const body = read(CERTIFICATE, text);
  if (body === undefined) return undefined;
  const { commonName, organizations, notBefore, notAfter } = body;
  return { commonName, organizations, notBefore, notAfter };
}
