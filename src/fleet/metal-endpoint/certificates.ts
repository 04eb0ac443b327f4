// One look at the endpoint's certificates: the shared authorities move on when due, every bundle follows, then this replica's own.

import type { Api } from '../../kube/api.ts';
import { isAlreadyExists, isConflict } from '../../kube/errors.ts';
import { type Authorities, bundleOf, type RotationSeams, rotated } from './authorities.ts';
import { spreadBundle } from './bundles.ts';
import { type ServingCertificate, served } from './serving.ts';
import { readShared, type Shared, writeShared } from './shared-authorities.ts';

/** Another replica may be first each time; after so many the next look goes on. */
const TRIES = 5;

/**
 * What this replica is to show now. The bundle is spread before anything new is shown: an API server never meets a
 * certificate that it has not been told to trust.
 */
export async function certificateNow(
  api: Api,
  shown: ServingCertificate | undefined,
  seams: RotationSeams,
): Promise<ServingCertificate> {
  for (let tries = 1; ; tries++) {
    try {
      return await look(api, shown, seams);
    } catch (error) {
      if (tries === TRIES || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

async function look(
  api: Api,
  shown: ServingCertificate | undefined,
  seams: RotationSeams,
): Promise<ServingCertificate> {
  const first = await moved(api, await readShared(api), 'unknown', seams);
  await spreadBundle(api, bundleOf(first.authorities));
  const second = await moved(api, first, 'held', seams);
  if (second.authorities !== first.authorities) await spreadBundle(api, bundleOf(second.authorities));
  return served(shown, second.authorities.signing, seams);
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
