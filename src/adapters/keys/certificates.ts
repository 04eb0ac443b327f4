// Certificates: a self-signed authority, and what it signs for servers and clients.

import 'reflect-metadata';
import { createPrivateKey, X509Certificate as NodeCertificate } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { CertificateAuthority, CertificateRequest, ReadCertificate } from '../../base/keys.ts';
import { pair } from './pairs.ts';
import { importPrivate, importPublic, signingAlgorithm, subjectOf } from './web-keys.ts';

export async function authority(
  commonName: string,
  notBefore: number,
  notAfter: number,
): Promise<CertificateAuthority> {
  const { privateKeyPem, publicKeyPem } = await pair();
  const name = subjectOf(commonName, []);
  const publicKey = await importPublic(publicKeyPem);
  const certificate = await X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    ...validity(notBefore, notAfter),
    publicKey,
    signingKey: await importPrivate(privateKeyPem),
    signingAlgorithm: signingAlgorithm(createPrivateKey(privateKeyPem)),
    extensions: [...authorityExtensions(), await SubjectKeyIdentifierExtension.create(publicKey)],
  });
  return { certificatePem: pemOf(certificate), privateKeyPem };
}

export async function certify(
  { certificatePem, privateKeyPem }: CertificateAuthority,
  publicKeyPem: string,
  request: CertificateRequest,
): Promise<string> {
  const issuer = new X509Certificate(certificatePem);
  const certificate = await X509CertificateGenerator.create({
    subject: subjectOf(request.commonName, request.organizations ?? []),
    issuer: issuer.subjectName,
    ...validity(request.notBefore, request.notAfter),
    publicKey: await importPublic(publicKeyPem),
    signingKey: await importPrivate(privateKeyPem),
    signingAlgorithm: signingAlgorithm(createPrivateKey(privateKeyPem)),
    extensions: [...extensionsFor(request), await AuthorityKeyIdentifierExtension.create(issuer)],
  });
  return pemOf(certificate);
}

export function readCertificate(pem: string): ReadCertificate | undefined {
  try {
    const certificate = new X509Certificate(new NodeCertificate(pem).raw);
    const subject = certificate.subjectName;
    return {
      commonName: subject.getField('CN')[0] ?? '',
      organizations: subject.getField('O'),
      notBefore: certificate.notBefore.getTime(),
      notAfter: certificate.notAfter.getTime(),
    };
  } catch {
    return undefined;
  }
}

const validity = (notBefore: number, notAfter: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(notBefore),
  notAfter: new Date(notAfter),
});

function authorityExtensions(): Extension[] {
  const usages = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature;
  return [new BasicConstraintsExtension(true, undefined, true), new KeyUsagesExtension(usages, true)];
}

function extensionsFor({ usages, dnsNames = [], ipAddresses = [] }: CertificateRequest): Extension[] {
  if (usages.includes('ca')) return authorityExtensions();

  const purposes = [
    ...(usages.includes('client') ? [ExtendedKeyUsage.clientAuth] : []),
    ...(usages.includes('server') ? [ExtendedKeyUsage.serverAuth] : []),
  ];
  const names = [
    ...dnsNames.map(value => ({ type: 'dns' as const, value })),
    ...ipAddresses.map(value => ({ type: 'ip' as const, value })),
  ];
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
    new ExtendedKeyUsageExtension(purposes),
    ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]),
  ];
}

const pemOf = (certificate: X509Certificate): string => `${certificate.toString('pem')}\n`;
