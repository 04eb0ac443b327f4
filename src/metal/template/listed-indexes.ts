// What a Template's status lists: who holds which index, for readers; nothing of it is ever read back (metal-7.5).

import { kubeTime } from '../../base/clock.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { asExpected, conditionOf } from '../../kube/conditions.ts';
import { same } from '../../kube/merge-patch.ts';
import { keyOf } from '../../kube/object.ts';
import type { Change } from '../../kube/outcome.ts';
import { entriesOf, type IndexBook } from './index-book.ts';

/** The bound in the definition: above it upstream's status is refused for good, here it is emptied. */
const MOST_LISTED = 512;

const LISTED = 'IndexesListed';

/** What is to be written; undefined when the status is right as it is. */
export function listedIndexes(template: Metal3DataTemplate, book: IndexBook, nowMs: number): Change | undefined {
  const key = keyOf(template);
  const count = book.countOf(key);
  const listed = count > MOST_LISTED ? [] : entriesOf(book.datasOf(key));
  const conditions = verdictsOf(template, count);
  const { indexes = [], lastUpdated } = template.status ?? {};
  const isListed = lastUpdated !== undefined && same(indexes, listed);
  if (isListed && conditions.length === 0) return undefined;
  const status = { indexes: listed.length === 0 ? null : listed, lastUpdated: kubeTime(nowMs) };
  return { ...(isListed ? {} : { status }), conditions };
}

function verdictsOf(template: Metal3DataTemplate, count: number): NonNullable<Change['conditions']> {
  if (count > MOST_LISTED) {
    const message = `${count} indexes are in use: more than ${MOST_LISTED} are not listed in status.indexes`;
    return [{ type: LISTED, status: 'False', reason: 'TooManyIndexes', message }];
  }
  if (conditionOf(template, LISTED) === undefined) return [];
  return [asExpected(LISTED)];
}
