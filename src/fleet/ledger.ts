// The whole ledger: our own finalizers, each row from beside its holder, and those that Kubernetes itself puts on.

import { agentLedger } from '../agent/ledger.ts';
import { clusterApiLedger } from '../builtin/ledger.ts';
import type { LedgerRow } from '../deletion/ledger.ts';
import { ipamLedger } from '../ipam/ledger.ts';
import { Namespace } from '../kube/core/other.ts';
import { Pod } from '../kube/core/pod.ts';
import { macLedger } from '../mac/ledger.ts';
import { metalLedger } from '../metal/ledger.ts';

/** Only their holders may release these: `why` and `doctor` explain them, the sweep never touches them. */
const kubernetesLedger: readonly LedgerRow[] = [
  {
    finalizer: 'foregroundDeletion',
    on: [Pod],
    holder: 'the garbage collector',
    protects: 'dependents that are to go before their owner',
    provedGoneBy: 'none',
    deadlineSeconds: 600,
  },
  {
    finalizer: 'orphan',
    on: [Pod],
    holder: 'the garbage collector',
    protects: 'dependents that are to outlive their owner',
    provedGoneBy: 'none',
    deadlineSeconds: 600,
  },
  {
    finalizer: 'kubernetes',
    on: [Namespace],
    holder: 'the namespace controller',
    protects: 'the objects in the namespace',
    provedGoneBy: 'none',
    deadlineSeconds: 600,
  },
];

/** Every finalizer that this program knows. */
export const ledger: readonly LedgerRow[] = [
  ...agentLedger,
  ...macLedger,
  ...metalLedger,
  ...ipamLedger,
  ...clusterApiLedger,
  ...kubernetesLedger,
];
