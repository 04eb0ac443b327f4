// Leases: what is used now, or was since the collector looked. Checked again under the lock of every deletion (agent-56).

import type { Locks } from '../locks.ts';

/** The one lock under which leases are taken and images or VMs are deleted. */
const DELETIONS = 'deletions';

export interface Leases {
  /** Holds these names until the returned function is called. Waits for a deletion that is under way. */
  take(names: readonly string[]): Promise<() => void>;
  /** Begins a look at the disk: from here on, what is leased even for a moment counts as held. One look at a time. */
  look(): void;
  /** Removes, unless one of `names` is held, or was since the last `look`: answers whether it did, as `remove` says. */
  deleteUnlessHeld(names: readonly string[], remove: () => Promise<boolean>): Promise<boolean>;
}

export function leases(locks: Locks): Leases {
  const counts = new Map<string, number>();
  /** What was let go since the look: a base built and left in between is not in the collector's view. */
  const released = new Set<string>();
  const letGo = (name: string): void => {
    const left = (counts.get(name) ?? 0) - 1;
    released.add(name);
    if (left > 0) counts.set(name, left);
    else counts.delete(name);
  };
  return {
    look: () => released.clear(),
    take: names =>
      locks.run(DELETIONS, async () => {
        for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
        let held = true;
        return () => {
          if (held) names.forEach(letGo);
          held = false;
        };
      }),
    deleteUnlessHeld: (names, remove) =>
      locks.run(DELETIONS, async () => {
        const used = names.some(name => counts.has(name) || released.has(name));
        return !used && (await remove());
      }),
  };
}
