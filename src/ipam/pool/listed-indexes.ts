// What a pool's status lists: which claim has which address, for readers; nothing of it is ever read back.

import { kubeTime } from '../../base/clock.ts';
import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { asExpected, conditionOf } from '../../kube/conditions.ts';
import type { Fields } from '../../kube/merge-patch.ts';
import { keyOf } from '../../kube/object.ts';
import type { Said } from '../../kube/standing.ts';
import { canonicalText } from '../addresses/address.ts';
import type { Books } from '../allocation/books.ts';

/** Above it the list is emptied: 10,000 entries would be over a MiB, written anew for each of them. */
const MOST_LISTED = 512;

const LISTED = 'IndexesListed';

export interface Listed {
  readonly status: Fields;
  readonly said: readonly Said[];
}

/** Status fields and conditions as they are to be; no fields where they are so already. */
export function listedIndexes(pool: IPPool, books: Books, nowMs: number): Listed {
  const { entries, count } = entriesOf(pool, books);
  const { indexes = {}, lastUpdated } = pool.status ?? {};
  const gone = Object.keys(indexes).filter(name => !entries.has(name));
  const changed = [...entries].filter(([name, text]) => indexes[name] !== text);
  const isListed = lastUpdated !== undefined && gone.length + changed.length === 0;
  const patch = Object.fromEntries([...gone.map(name => [name, null] as const), ...changed]);
  return {
    status: isListed ? {} : { indexes: patch, lastUpdated: kubeTime(nowMs) },
    said: verdictsOf(pool, count),
  };
}

/**
 * By name of the claim. Two claims of one name and of both kinds would hide one another (ipam-g7): the second then stands
 * under its kind too.
 */
function entriesOf(pool: IPPool, books: Books): { entries: ReadonlyMap<string, string>; count: number } {
  const held = [...books.followed()].flatMap(dialect =>
    books.addressesOf(dialect, keyOf(pool)).map(address => ({ kind: dialect.claim.kind, of: dialect.heldBy(address) })),
  );
  const entries = new Map<string, string>();
  if (held.length > MOST_LISTED) return { entries, count: held.length };
  for (const { kind, of } of held) {
    const { claim = '', text = '' } = of ?? {};
    entries.set(entries.has(claim) ? `${kind}/${claim}` : claim, canonicalText(text) ?? text);
  }
  return { entries, count: held.length };
}

function verdictsOf(pool: IPPool, count: number): readonly Said[] {
  if (count > MOST_LISTED) {
    const message = `${count} addresses are in use: more than ${MOST_LISTED} are not listed in status.indexes`;
    return [{ type: LISTED, status: 'False', reason: 'TooManyAddresses', message }];
  }
  if (conditionOf(pool, LISTED) === undefined) return [];
  return [asExpected(LISTED)];
}
