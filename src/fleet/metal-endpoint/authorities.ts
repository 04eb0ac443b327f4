// Which authorities vouch for the endpoint, and which one signs: a new one is in every bundle before it signs anything.

import { minutes } from '../../base/clock.ts';
import type { CertificateAuthority, CertificateReader, Keys } from '../../base/keys.ts';

export interface Authorities {
  /** Certificates of the endpoint come from this one. */
  readonly signing: CertificateAuthority;
  /** In the bundle already; signs when every API server had time to read that. */
  readonly next?: CertificateAuthority;
  /** Signed before, and what it signed may still be shown: in the bundle until it ends. PEM. */
  readonly previous?: string;
}

/** How long things last. */
export interface Lives {
  readonly authorityMs: number;
  /** Of a certificate of one replica. */
  readonly servingMs: number;
  /** Between an authority's first day in the bundle and its first signature. */
  readonly settlingMs: number;
  /** Certificates begin this long before they are made: clocks differ. */
  readonly backdatedMs: number;
}

const DAY_MS = minutes(60 * 24);

export const USUAL_LIVES: Lives = {
  authorityMs: 90 * DAY_MS,
  servingMs: 30 * DAY_MS,
  settlingMs: minutes(10),
  backdatedMs: minutes(60),
};

export interface RotationSeams {
  readonly keys: Keys & CertificateReader;
  readonly nowMs: number;
  readonly lives: Lives;
}

/** Every authority that may have signed what a replica shows: the `caBundle`, PEM. */
export const bundleOf = ({ signing, next, previous }: Authorities): string =>
  [signing.certificatePem, next?.certificatePem, previous].filter(pem => pem !== undefined).join('');

/** At two thirds of its life; what cannot be read is due at once. */
export function isDue(certificatePem: string, { keys, nowMs }: Pick<RotationSeams, 'keys' | 'nowMs'>): boolean {
  const read = keys.readCertificate(certificatePem);
  return read === undefined || nowMs >= read.notBefore + ((read.notAfter - read.notBefore) * 2) / 3;
}

function isOver(certificatePem: string, { keys, nowMs }: RotationSeams): boolean {
  const read = keys.readCertificate(certificatePem);
  return read === undefined || nowMs >= read.notAfter;
}

/**
 * The authorities as they are to be now: the same object when nothing is due. `bundles` says whether every definition
 * and webhook is known to hold today's bundle.
 */
export async function rotated(
  now: Authorities | undefined,
  bundles: 'held' | 'unknown',
  seams: RotationSeams,
): Promise<Authorities> {
  if (now === undefined) return { signing: await made(seams) };
  const { signing, next, previous } = now;
  if (isOver(signing.certificatePem, seams)) return replaced(now, seams);
  if (previous !== undefined && isOver(previous, seams)) return { signing, ...(next === undefined ? {} : { next }) };
  if (next !== undefined) return bundles === 'held' && hasSettled(next, seams) ? promoted(now, next) : now;
  return isDue(signing.certificatePem, seams) ? { ...now, next: await made(seams) } : now;
}

/** Nobody rotated in time: whoever was announced signs at once, else a new one. */
async function replaced(now: Authorities, seams: RotationSeams): Promise<Authorities> {
  const { next } = now;
  if (next !== undefined && !isOver(next.certificatePem, seams)) return promoted(now, next);
  return { signing: await made(seams) };
}

const promoted = ({ signing }: Authorities, next: CertificateAuthority): Authorities => ({
  signing: next,
  previous: signing.certificatePem,
});

function hasSettled({ certificatePem }: CertificateAuthority, { keys, nowMs, lives }: RotationSeams): boolean {
  const madeMs = (keys.readCertificate(certificatePem)?.notBefore ?? nowMs) + lives.backdatedMs;
  return nowMs - madeMs >= lives.settlingMs;
}

const made = ({ keys, nowMs, lives }: RotationSeams): Promise<CertificateAuthority> =>
  keys.authority('pippin-metal endpoint', nowMs - lives.backdatedMs, nowMs + lives.authorityMs);
