// The finalizers that the Metal3 provider holds, and what each protects.

import type { LedgerRow } from '../deletion/ledger.ts';
import { Metal3Cluster } from '../kinds/generated/metal3-cluster.generated.ts';
import { Metal3DataClaim } from '../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../kinds/generated/metal3-remediation.generated.ts';
import {
  METAL3_CLUSTER_FINALIZER,
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
    finalizer: METAL3_REMEDIATION_FINALIZER,
    on: [Metal3Remediation],
    holder: 'the Metal3 provider',
    protects: 'a host that it keeps without power, and a Node that it has tainted or deleted',
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
];
