// When a pool is looked at: a second after an address came or went, and at once when the last thing that holds it is gone.

import { seconds } from '../../base/clock.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { isDeleting, keyText, type ObjectKey } from '../../kube/object.ts';
import { type Books, books } from '../allocation/books.ts';
import type { IpamWorld } from '../world.ts';

const COALESCED_MS = seconds(1);

/** What still names a pool: its claims, bound or not (ipam-g9), and its addresses, those of nobody too. */
export function leftIn(pool: ObjectKey, known: Books): readonly string[] {
  return [...known.followed()].flatMap(dialect => [
    ...known.claimsOf(dialect, pool).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ...known.addressesOf(dialect, pool).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  ]);
}

export function poolHears(world: IpamWorld, wake: (key: ObjectKey) => void): void {
  const due = new Set<string>();
  const known = books(world);
  known.onTouch(pool => {
    const object = world.caches.of(IPPool).get(pool);
    if (object === undefined) return;
    const key = keyText(pool);
    if (isDeleting(object) && !known.isNamed(pool)) return wake(pool);
    if (due.has(key)) return;
    due.add(key);
    world.clock.after(COALESCED_MS, () => {
      due.delete(key);
      wake(pool);
    });
  });
}
