// The certificates of the cases' webhooks: signed by an authority that was made in this process.

import { realKeys } from '../../../src/adapters/keys/index.ts';

const DAY_MS = 86_400_000;

/** `elsewhere`: a good certificate of another server. */
export type CertifiedFor = 'loopback' | 'elsewhere';

interface Certified {
  readonly cert: string;
  readonly key: string;
  /** The authority as configurations carry it. */
  readonly caBundle: string;
  /** The certificate itself in the place of its authority, as Go's envtest installs webhooks. */
  readonly leafBundle: string;
}

const made = new Map<CertifiedFor, Promise<Certified>>();

export function webhookCertificate(certifiedFor: CertifiedFor): Promise<Certified> {
  const known = made.get(certifiedFor);
  if (known !== undefined) return known;
  const fresh = make(certifiedFor);
  made.set(certifiedFor, fresh);
  return fresh;
}

async function make(certifiedFor: CertifiedFor): Promise<Certified> {
  const validity = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + DAY_MS };
  const authority = await realKeys.authority(`webhooks of ${certifiedFor}`, validity.notBefore, validity.notAfter);
  const { privateKeyPem, publicKeyPem } = await realKeys.pair();
  const names = certifiedFor === 'loopback' ? { ipAddresses: ['127.0.0.1'] } : { dnsNames: ['elsewhere.example.com'] };
  const cert = await realKeys.certify(authority, publicKeyPem, {
    commonName: 'webhook',
    usages: ['server'],
    ...names,
    ...validity,
  });
  const [caBundle, leafBundle] = [authority.certificatePem, cert].map(pem => Buffer.from(pem).toString('base64'));
  return { cert, key: privateKeyPem, caBundle: caBundle ?? '', leafBundle: leafBundle ?? '' };
}
