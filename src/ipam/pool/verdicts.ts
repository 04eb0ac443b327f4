// What a pool says of its own spec: faults, most of which admission would refuse, and overlaps that are allowed but seldom meant.

import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { asExpected, conditionOf } from '../../kube/conditions.ts';
import { keyOf } from '../../kube/object.ts';
import type { Said } from '../../kube/standing.ts';
import type { Books } from '../allocation/books.ts';
import { prefixFault } from '../allocation/name-prefix.ts';
import { faultText, poolFaults } from './faults.ts';
import { overlapsOf } from './overlaps.ts';

const MOST_SAID = 5;

/** The words of a Ready=False; undefined when the spec is fine. Checked here again: the admission endpoint may be away. */
export function faultVerdict(pool: IPPool, books: Books): Said | undefined {
  const prefix = prefixFault(pool);
  const others = poolFaults(pool, heldTexts(pool, books)).map(faultText);
  const faults = prefix === undefined ? others : [prefix, ...others];
  if (faults.length === 0) return undefined;
  return { type: 'Ready', status: 'False', reason: 'InvalidSpec', message: few(faults) };
}

/** Told while it is so, and that it is so no more. */
export function overlapVerdicts(pool: IPPool, books: Books): readonly Said[] {
  const overlaps = overlapsOf(pool, books.plansIn(pool.metadata.namespace ?? ''));
  const type = 'RangesApart';
  if (overlaps.length > 0) return [{ type, status: 'False', reason: 'Overlapping', message: few(overlaps) }];
  if (conditionOf(pool, type) === undefined) return [];
  return [asExpected(type)];
}

function heldTexts(pool: IPPool, books: Books): readonly string[] {
  const key = keyOf(pool);
  return [...books.followed()].flatMap(dialect =>
    books.addressesOf(dialect, key).flatMap(address => dialect.heldBy(address)?.text ?? []),
  );
}

function few(sentences: readonly string[]): string {
  const more = sentences.length > MOST_SAID ? [`and ${sentences.length - MOST_SAID} more`] : [];
  return [...sentences.slice(0, MOST_SAID), ...more].join('; ');
}
