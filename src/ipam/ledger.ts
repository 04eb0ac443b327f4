// The finalizers that the address manager holds, and what each protects.

import type { LedgerRow } from '../deletion/ledger.ts';

export const ipamLedger: readonly LedgerRow[] = [];
