// The agent's row of the ledger: what its finalizer on a Pod protects, and by which proof others may take it off.

import type { LedgerRow } from '../deletion/ledger.ts';
import { VM_CLEANUP } from '../kinds/wire.ts';
import { Pod } from '../kube/core/pod.ts';

export const agentLedger = [
  {
    finalizer: VM_CLEANUP,
    on: [Pod],
    holder: "the agent on the Pod's Mac",
    protects: 'a running VM and its disk',
    provedGoneBy: 'vm-gone',
    deadlineSeconds: 600,
  },
] satisfies LedgerRow[];
