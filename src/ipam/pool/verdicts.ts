// What a pool says of its own spec: faults, most of which admission would refuse, and what is allowed but seldom meant.

import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { asExpected, conditionOf } from '../../kube/conditions.ts';
import { keyOf } from '../../kube/object.ts';
import type { Said } from '../../kube/standing.ts';
import type { Books } from '../allocation/books.ts';
import { few } from '../allocation/few.ts';
import { prefixFault } from '../allocation/name-prefix.ts';
import { faultText, poolFaults } from './faults.ts';
import { idleRanges } from './idle-ranges.ts';
import { overlapsOf } from './overlaps.ts';
import { prefixLengthFaults } from './prefix-lengths.ts';

/** The words of a Ready=False; undefined when the spec is fine. Checked here again: the admission endpoint may be away. */
export function faultVerdict(pool: IPPool, books: Books): Said | undefined {
  const judged = poolFaults(pool, heldTexts(pool, books)).map(faultText);
  const faults = [prefixFault(pool) ?? [], judged, prefixLengthFaults(pool)].flat();
  if (faults.length === 0) return undefined;
  return { type: 'Ready', status: 'False', reason: 'InvalidSpec', message: few(faults) };
}

/** What admission lets in: told while it is so, and that it is so no more. */
export const allowedVerdicts = (pool: IPPool, books: Books): readonly Said[] => [
  ...idleVerdicts(pool),
  ...overlapVerdicts(pool, books),
];

/** Whether the whole pool gives out nothing, or a part of it only. */
function idleVerdicts(pool: IPPool): readonly Said[] {
  const idle = idleRanges(pool);
  const isAll = idle.length >= (pool.spec?.pools ?? []).length;
  return toldOf(pool, { type: 'RangesUsable', reason: isAll ? 'NoAddresses' : 'EmptyRange', sentences: idle });
}

function overlapVerdicts(pool: IPPool, books: Books): readonly Said[] {
  const overlaps = overlapsOf(pool, books.plansIn(pool.metadata.namespace ?? ''));
  return toldOf(pool, { type: 'RangesApart', reason: 'Overlapping', sentences: overlaps });
}

interface Told {
  readonly type: string;
  readonly reason: string;
  readonly sentences: readonly string[];
}

function toldOf(pool: IPPool, { type, reason, sentences }: Told): readonly Said[] {
  if (sentences.length > 0) return [{ type, status: 'False', reason, message: few(sentences) }];
  if (conditionOf(pool, type) === undefined) return [];
  return [asExpected(type)];
}

function heldTexts(pool: IPPool, books: Books): readonly string[] {
  const key = keyOf(pool);
  return [...books.followed()].flatMap(dialect =>
    books.addressesOf(dialect, key).flatMap(address => dialect.heldBy(address)?.text ?? []),
  );
}
