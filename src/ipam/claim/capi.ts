// Claims and addresses of ipam.cluster.x-k8s.io, as far as they name a pool of ours.

import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { CAPI_IP_ADDRESS_CLAIM_FINALIZER, CAPI_IP_ADDRESS_FINALIZER } from '../../kinds/metal-wire.ts';
import type { Dialect } from './dialect.ts';

/** A pool of this name may be another provider's: the kind and the group decide (ipam-g8). */
const isOurs = (ref: { readonly kind: string; readonly apiGroup?: string }): boolean =>
  ref.kind === IPPool.kind && ref.apiGroup === IPPool.group;

export const capi: Dialect<IPAddressClaim, CapiIPAddress> = {
  claim: IPAddressClaim,
  address: CapiIPAddress,
  claimFinalizer: CAPI_IP_ADDRESS_CLAIM_FINALIZER,
  addressFinalizer: CAPI_IP_ADDRESS_FINALIZER,
  poolOf: ({ spec }) => (spec !== undefined && isOurs(spec.poolRef) ? { name: spec.poolRef.name } : undefined),
  boundName: ({ status }) => status?.addressRef?.name || undefined,
  statusOf: (_claim, standing) => ({ addressRef: standing.kind === 'bound' ? { name: standing.name } : null }),
  heldBy({ spec }) {
    if (spec === undefined || !isOurs(spec.poolRef)) return undefined;
    return { pool: spec.poolRef.name, claim: spec.claimRef.name, text: spec.address };
  },
  /** The prefix is required there; DNS servers have no place. */
  specOf: ({ pool, claim, address, values: { prefix = 0, gateway } }) => ({
    address,
    prefix,
    ...(gateway === undefined ? {} : { gateway }),
    poolRef: { name: pool.name, kind: IPPool.kind, apiGroup: IPPool.group },
    claimRef: { name: claim.name },
  }),
};
