// One look at the endpoint's certificates: the shared authorities move on when due, every bundle follows, then this replica's own.

import type { CertificateAuthority } from '../../base/keys.ts';
import type { Api } from '../../kube/api.ts';
import { isAlreadyExists, isConflict } from '../../kube/errors.ts';
import { type Authorities, bundleOf, type RotationSeams, rotated } from './authorities.ts';
import { spreadBundle } from './bundles.ts';
import { type ServingCertificate, served } from './serving.ts';
import { readShared, type Shared, writeShared } from './shared-authorities.ts';

/** Another replica may be first each time; after so many the next look goes on. */
const TRIES = 5;

/** What one replica shows, and how it shows another. */
export interface Showing {
  shown: ServingCertificate | undefined;
  show(certificate: ServingCertificate): void;
}

/**
 * The bundle is spread before a new authority's certificate is shown: an API server never meets one that it has not been
 * told to trust. One of the authority that signs already needs no waiting.
 */
export async function keepCertificate(api: Api, showing: Showing, seams: () => RotationSeams): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await look(api, showing, seams());
    } catch (error) {
      if (tries === TRIES || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

async function look(api: Api, showing: Showing, seams: RotationSeams): Promise<void> {
  const first = await moved(api, await readShared(api), 'unknown', seams);
  const { signing } = first.authorities;
  if (showing.shown?.signedBy === signing.certificatePem) await show(showing, signing, seams);
  await spreadBundle(api, bundleOf(first.authorities));
  const second = await moved(api, first, 'held', seams);
  if (second.authorities !== first.authorities) await spreadBundle(api, bundleOf(second.authorities));
  await show(showing, second.authorities.signing, seams);
}

async function show(showing: Showing, signing: CertificateAuthority, seams: RotationSeams): Promise<void> {
  const certificate = await served(showing.shown, signing, seams);
  if (certificate === showing.shown) return;
  showing.shown = certificate;
  showing.show(certificate);
}

async function moved(
  api: Api,
  shared: Shared,
  bundles: 'held' | 'unknown',
  seams: RotationSeams,
): Promise<Shared & { readonly authorities: Authorities }> {
  const authorities = await rotated(shared.authorities, bundles, seams);
  if (authorities === shared.authorities) return { ...shared, authorities };
  return { ...(await writeShared(api, authorities, shared)), authorities };
}
