// The finalizers that the address manager holds, and what each protects.

import type { LedgerRow } from '../deletion/ledger.ts';
import { CapiIPAddress } from '../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../kinds/generated/ip-pool.generated.ts';
import {
  CAPI_IP_ADDRESS_CLAIM_FINALIZER,
  CAPI_IP_ADDRESS_FINALIZER,
  IP_ADDRESS_FINALIZER,
  IP_CLAIM_FINALIZER,
  IP_POOL_FINALIZER,
} from '../kinds/metal-wire.ts';

const holder = 'the address manager';
const claims = { holder, protects: 'the address that the claim was given', provedGoneBy: 'none', deadlineSeconds: 600 };
const addresses = { holder, protects: 'an address that a host may use', provedGoneBy: 'none', deadlineSeconds: 600 };

export const ipamLedger: readonly LedgerRow[] = [
  {
    finalizer: IP_POOL_FINALIZER,
    on: [IPPool],
    holder,
    protects: 'the addresses of the pool and the claims that name it',
    provedGoneBy: 'none',
    deadlineSeconds: 600,
  },
  { finalizer: IP_CLAIM_FINALIZER, on: [IPClaim], ...claims },
  { finalizer: CAPI_IP_ADDRESS_CLAIM_FINALIZER, on: [IPAddressClaim], ...claims },
  { finalizer: IP_ADDRESS_FINALIZER, on: [IPAddress], ...addresses },
  { finalizer: CAPI_IP_ADDRESS_FINALIZER, on: [CapiIPAddress], ...addresses },
];
