// The finalizers of Cluster API core that our subset holds; on a real cluster Cluster API itself does.

import type { LedgerRow } from '../deletion/ledger.ts';
import { Cluster } from '../kinds/generated/cluster.generated.ts';
import { Machine } from '../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../kinds/generated/machine-set.generated.ts';
import {
  CLUSTER_FINALIZER,
  MACHINE_DEPLOYMENT_FINALIZER,
  MACHINE_FINALIZER,
  MACHINE_SET_FINALIZER,
} from './capi/names.ts';

/** Nobody but the holder may release them: what they protect has finalizers of its own that say more. */
const HELD = { provedGoneBy: 'none', deadlineSeconds: 3600 } as const;

export const clusterApiLedger = [
  {
    finalizer: CLUSTER_FINALIZER,
    on: [Cluster],
    holder: 'the cluster controller of Cluster API',
    protects: 'the machines of the cluster, and then what they share',
    ...HELD,
  },
  {
    finalizer: MACHINE_DEPLOYMENT_FINALIZER,
    on: [MachineDeployment],
    holder: 'the machine deployment controller of Cluster API',
    protects: 'its machine sets',
    ...HELD,
  },
  {
    finalizer: MACHINE_SET_FINALIZER,
    on: [MachineSet],
    holder: 'the machine set controller of Cluster API',
    protects: 'its machines',
    ...HELD,
  },
  {
    finalizer: MACHINE_FINALIZER,
    on: [Machine],
    holder: 'the machine controller of Cluster API',
    protects: 'the host behind the machine, its bootstrap data and its Node',
    ...HELD,
  },
] satisfies LedgerRow[];
