// The finalizers that the Metal3 provider holds, and what each protects.

import type { LedgerRow } from '../deletion/ledger.ts';

export const metalLedger: readonly LedgerRow[] = [];
