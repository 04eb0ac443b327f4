// Claims and addresses of ipam.metal3.io.

import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IP_ADDRESS_FINALIZER, IP_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import type { Dialect } from './dialect.ts';

export const metal3: Dialect<IPClaim, IPAddress> = {
  claim: IPClaim,
  address: IPAddress,
  claimFinalizer: IP_CLAIM_FINALIZER,
  addressFinalizer: IP_ADDRESS_FINALIZER,
  poolOf({ spec }) {
    const { name = '', namespace = '' } = spec?.pool ?? {};
    if (name === '') return undefined;
    return namespace === '' ? { name } : { name, namespace };
  },
  boundName: ({ status }) => status?.address?.name || undefined,
  /** `errorMessage` holds what upstream says of a claim that has to change; it goes with that (ipam-g1). */
  statusOf({ metadata: { namespace = '' } }, standing) {
    if (standing.kind === 'bound') return { address: { name: standing.name, namespace }, errorMessage: null };
    return { address: null, errorMessage: standing.kind === 'refused' ? standing.message : null };
  },
  heldBy({ spec }) {
    const pool = spec?.pool?.name ?? '';
    if (spec === undefined || pool === '') return undefined;
    return { pool, claim: spec.claim?.name ?? '', text: spec.address };
  },
  specOf({ pool, claim, address, values: { prefix, gateway, dnsServers } }) {
    return {
      address,
      pool,
      claim,
      ...(prefix === undefined ? {} : { prefix }),
      ...(gateway === undefined ? {} : { gateway }),
      ...(dnsServers.length === 0 ? {} : { dnsServers }),
    };
  },
};
