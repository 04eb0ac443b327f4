// Who can say whether a Mac is still there: the cloud, asked by id and by complete list, as the Pod proofs need it.

import type { Sighting } from '../../base/sighting.ts';

/** A Mac as the cloud sees it now: the provider's id, and the name by which it is claimed. */
export interface SeenHost {
  readonly providerId: string;
  readonly name: string;
}

/** `absent` is answered only by credentials that saw another server of the same project in the same pass (safe-2). */
export interface HostWitness {
  /** The host with this providerID; `unknown` for hosts that this cloud cannot list. */
  host(providerId: string): Promise<Sighting<SeenHost>>;
  /** All hosts of all configured zones; `unknown` unless every zone was listed completely (safe-3). */
  hosts(): Promise<Sighting<readonly SeenHost[]>>;
  /** Whether this cloud could list a host with this providerID at all. */
  canSee(providerId: string): boolean;
}
