// PKCS #10 requests: made for a key, and read from strangers.

import 'reflect-metadata';
import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import {
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import type { KeyPair, RequestedCertificate } from '../../base/keys.ts';
import { importPrivate, importPublic, signingAlgorithm, subjectOf } from './web-keys.ts';

export async function signingRequest(
  { privateKeyPem, publicKeyPem }: KeyPair,
  commonName: string,
  organizations: readonly string[],
): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subjectOf(commonName, organizations),
    keys: { privateKey: await importPrivate(privateKeyPem), publicKey: await importPublic(publicKeyPem) },
    signingAlgorithm: signingAlgorithm(createPrivateKey(privateKeyPem)),
  });
  return `${request.toString('pem')}\n`;
}

/** Undefined for anything that is no request; strangers send these, so nothing here may throw. */
export function readRequest(pem: string): RequestedCertificate | undefined {
  const block = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/.exec(pem);
  if (block === null) return undefined;
  try {
    return contentOf(Buffer.from(block[1] ?? '', 'base64'));
  } catch {
    return undefined;
  }
}

function contentOf(der: Buffer): RequestedCertificate {
  const request = new Pkcs10CertificateRequest(new Uint8Array(der));
  const subject = request.subjectName;
  const publicKey = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' });
  const alternatives = request.extensions.find(one => one instanceof SubjectAlternativeNameExtension);
  const names = alternatives?.names.items ?? [];
  const ofType = (type: string): readonly string[] => names.filter(name => name.type === type).map(name => name.value);
  return {
    commonName: subject.getField('CN')[0] ?? '',
    organizations: subject.getField('O'),
    dnsNames: ofType('dns'),
    ipAddresses: ofType('ip'),
    emailAddresses: ofType('email'),
    uris: ofType('url'),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    isSelfSigned: verify(hashOf(request), signedPartOf(der), publicKey, Buffer.from(request.signature)),
  };
}

/** SHA-1 and older are refused: no such name is passed on. */
function hashOf({ signatureAlgorithm }: Pkcs10CertificateRequest): string | null {
  if (!('hash' in signatureAlgorithm)) return null;
  const { name } = signatureAlgorithm.hash;
  if (!['SHA-256', 'SHA-384', 'SHA-512'].includes(name)) throw new Error(`hash ${name} is not accepted`);
  return name.toLowerCase().replace('-', '');
}

/** The first element of the outer sequence, header included: what the signature is over. */
function signedPartOf(der: Buffer): Buffer {
  const outer = contentAt(der, 0);
  const inner = contentAt(der, outer.start);
  return der.subarray(outer.start, inner.end);
}

/** Where the content of the DER element at `offset` lies. */
function contentAt(der: Buffer, offset: number): { readonly start: number; readonly end: number } {
  const first = der.readUInt8(offset + 1);
  if (first < 0x80) return { start: offset + 2, end: offset + 2 + first };
  const lengthBytes = first & 0x7f;
  const start = offset + 2 + lengthBytes;
  return { start, end: start + der.readUIntBE(offset + 2, lengthBytes) };
}
