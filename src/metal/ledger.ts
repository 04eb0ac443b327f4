// The finalizers that the Metal3 provider holds, and what each protects.

import type { LedgerRow } from '../deletion/ledger.ts';
import { Metal3Cluster } from '../kinds/generated/metal3-cluster.generated.ts';
import { METAL3_CLUSTER_FINALIZER } from '../kinds/metal-wire.ts';

export const metalLedger: readonly LedgerRow[] = [
  {
    finalizer: METAL3_CLUSTER_FINALIZER,
    on: [Metal3Cluster],
    holder: 'the Metal3 provider',
    protects: "where the cluster's Machines find their control plane, while there are any",
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
];
