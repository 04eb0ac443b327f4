// The store that forgets with the process: for tests and fault runs. Writes are applied within the call.

import { JournaledStore, type Recovered } from './store/journal.ts';
import type { HistoryBounds, Row, Store } from './store.ts';

/** What another store held at one moment: rows are never changed, so that any number of stores can begin with them. */
export interface Held {
  readonly rows: readonly Row[];
  readonly revision: number;
}

/** A store in memory; empty, unless it begins with what another held. Nothing of the other's history is known. */
export function memoryStore(history?: HistoryBounds, held?: Held): Store {
  return new JournaledStore(undefined, held === undefined ? undefined : recoveredFrom(held), history);
}

const recoveredFrom = ({ rows, revision }: Held): Recovered => ({
  changes: rows.map(row => ({ type: 'added', row, previous: undefined })),
  compacted: revision,
});
