// The finalizers that the Metal3 provider holds, and what each protects.

import type { LedgerRow } from '../deletion/ledger.ts';
import { IPAddressClaim } from '../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../kinds/generated/ip-claim.generated.ts';
import { Metal3Cluster } from '../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../kinds/generated/metal3-remediation.generated.ts';
import {
  METAL3_CLUSTER_FINALIZER,
  METAL3_DATA_CLAIM_FINALIZER,
  METAL3_DATA_FINALIZER,
  METAL3_DATA_TEMPLATE_FINALIZER,
  METAL3_MACHINE_FINALIZER,
  METAL3_REMEDIATION_FINALIZER,
} from '../kinds/metal-wire.ts';

export const metalLedger: readonly LedgerRow[] = [
  {
    finalizer: METAL3_CLUSTER_FINALIZER,
    on: [Metal3Cluster],
    holder: 'the Metal3 provider',
    protects: "where the cluster's Machines find their control plane, while there are any",
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
  {
    finalizer: METAL3_MACHINE_FINALIZER,
    on: [Metal3Machine, Metal3DataClaim],
    holder: 'the Metal3 provider',
    protects: 'a host that still runs what the machine put on it, and the addresses that it uses',
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
  {
    finalizer: METAL3_DATA_TEMPLATE_FINALIZER,
    on: [Metal3DataTemplate],
    holder: 'the Metal3 provider',
    protects: 'what its Metal3DataClaims and Metal3Data are made from, while there are any',
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
  {
    finalizer: METAL3_DATA_CLAIM_FINALIZER,
    on: [Metal3DataClaim, Metal3Data],
    holder: 'the Metal3 provider',
    protects: 'the data of a host, its index and its secrets, while a claim uses them',
    provedGoneBy: 'none',
    deadlineSeconds: 600,
  },
  {
    finalizer: METAL3_DATA_FINALIZER,
    on: [Metal3Data, IPClaim, IPAddressClaim],
    holder: 'the Metal3 provider',
    protects: 'the addresses that a host uses, and the secrets rendered for it',
    provedGoneBy: 'none',
    deadlineSeconds: 600,
  },
  {
    finalizer: METAL3_REMEDIATION_FINALIZER,
    on: [Metal3Remediation],
    holder: 'the Metal3 provider',
    protects: 'a host that it keeps without power, and a Node that it has tainted or deleted',
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
];
