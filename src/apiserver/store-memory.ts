// The store that forgets with the process: for tests and fault runs. Writes are applied within the call.

import { JournaledStore } from './store/journal.ts';
import type { HistoryBounds, Store } from './store.ts';

/** An empty store in memory. */
export function memoryStore(history?: HistoryBounds): Store {
  return new JournaledStore(undefined, undefined, history);
}
