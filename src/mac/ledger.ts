// The Mac provider's row of the ledger: what its finalizer on a machine protects. Nobody else may take it off.

import type { LedgerRow } from '../deletion/ledger.ts';
import { MAC_MACHINE_FINALIZER } from '../kinds/wire.ts';
import { MacMachine } from './machine/mac-machine.ts';

export const macLedger = [
  {
    finalizer: MAC_MACHINE_FINALIZER,
    on: [MacMachine],
    holder: 'the Mac provider',
    protects: "a rented Mac, the identity of its agent, its Node and its Pods' VMs",
    provedGoneBy: 'none',
    deadlineSeconds: 3600,
  },
] satisfies LedgerRow[];
