// A list that comes in pages, whole or not at all (safe-3).

import { defineError } from '../../base/errors.ts';

const PAGE_SIZE = 100;

interface Page<R> {
  readonly items: readonly R[];
  readonly totalCount: number;
}

/** Things came or went between two pages, so one may have been skipped. */
const listMoved = defineError('PIPPIN_E_CLOUD_LIST_MOVED', {
  retry: 'backoff',
  remedy: 'Nothing to do: the list is read again by itself',
  says: (have: number, total: number) => `the list changed while it was read: ${have} of ${total} came`,
});

/** Reads page after page; the total must stay the same and be reached exactly. */
export async function completeList<R extends { readonly id: string }>(
  fetchPage: (pages: { readonly page: number; readonly pageSize: number }) => Promise<Page<R>>,
): Promise<readonly R[]> {
  const byId = new Map<string, R>();
  let seen = 0;
  for (let page = 1; ; page += 1) {
    const { items, totalCount } = await fetchPage({ page, pageSize: PAGE_SIZE });
    for (const item of items) byId.set(item.id, item);
    seen += items.length;
    if (seen >= totalCount || items.length === 0) {
      if (byId.size !== totalCount) throw listMoved(byId.size, totalCount);
      return [...byId.values()];
    }
  }
}
