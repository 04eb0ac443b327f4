// The certificate that one replica of the endpoint shows: signed by the shared authority, renewed at two thirds of its life.

import type { CertificateAuthority } from '../../base/keys.ts';
import { isDue, type RotationSeams } from './authorities.ts';
import { ENDPOINT_SERVICE, serviceNames } from './names.ts';

export interface ServingCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** PEM of the authority that signed it. */
  readonly signedBy: string;
}

/** The certificate to show now: the same object as long as it is good. */
export async function served(
  now: ServingCertificate | undefined,
  signing: CertificateAuthority,
  seams: RotationSeams,
): Promise<ServingCertificate> {
  if (now !== undefined && now.signedBy === signing.certificatePem && !isDue(now.certificatePem, seams)) return now;
  const { keys, nowMs, lives } = seams;
  const { privateKeyPem, publicKeyPem } = await keys.pair();
  const ends = keys.readCertificate(signing.certificatePem)?.notAfter ?? nowMs;
  const certificatePem = await keys.certify(signing, publicKeyPem, {
    commonName: ENDPOINT_SERVICE.name,
    dnsNames: serviceNames(),
    notBefore: nowMs - lives.backdatedMs,
    notAfter: Math.min(nowMs + lives.servingMs, ends),
    usages: ['server'],
  });
  return { certificatePem, privateKeyPem, signedBy: signing.certificatePem };
}
