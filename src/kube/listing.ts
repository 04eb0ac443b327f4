// Reads a whole collection as one consistent state: all of it or nothing (safe-3).

import { defineError } from '../base/errors.ts';
import type { List, ListOptions } from './api.ts';
import { isExpired } from './errors.ts';
import { acceptedForList, apiVersionOf, type Kind, pathOf } from './kind.ts';
import type { KubeObject } from './object.ts';
import { askJson, type Caller } from './request.ts';

/** Keeps the parsing of one page under 16 ms, so that a large list does not block everything else. */
const PAGE_SIZE = 500;

/** How often a list starts over, because its pages went out of date, before it is read in one piece. */
const MOST_RESTARTS = 2;

const listInconsistent = defineError('PIPPIN_E_LIST_INCONSISTENT', {
  retry: 'backoff',
  remedy: 'The list is read again by itself; if this stays, a proxy in front of the API server mixes answers',
  says: (path: string) => `GET ${path}: the pages of one list come from different states`,
});

interface Page<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

/** The selectors of a list or watch, as query parameters. */
export function selectionQuery(options: ListOptions): Record<string, string | undefined> {
  return { labelSelector: options.labels, fieldSelector: options.fields };
}

/** All items of one state. Starts over when a continue token expired; after that, one unpaged read. */
export async function listAll<T extends KubeObject>(
  caller: Caller,
  kind: Kind<T>,
  options: ListOptions,
  signal?: AbortSignal,
): Promise<List<T>> {
  for (let restarts = 0; restarts < MOST_RESTARTS; restarts++) {
    try {
      return await pages(caller, kind, { options, signal, pageSize: PAGE_SIZE });
    } catch (error) {
      if (!isExpired(error) && !listInconsistent.is(error)) throw error;
    }
  }
  return pages(caller, kind, { options, signal, pageSize: undefined });
}

interface Read {
  readonly options: ListOptions;
  readonly signal: AbortSignal | undefined;
  readonly pageSize: number | undefined;
}

async function pages<T extends KubeObject>(caller: Caller, kind: Kind<T>, read: Read): Promise<List<T>> {
  const path = pathOf(kind, read.options.namespace === undefined ? {} : { namespace: read.options.namespace });
  const items: T[] = [];
  let resourceVersion: string | undefined;
  let token: string | undefined;
  do {
    const page: Page<T> = await askJson(caller, {
      method: 'GET',
      path,
      accept: acceptedForList(kind),
      query: { ...selectionQuery(read.options), limit: read.pageSize?.toString(), continue: token },
      ...(read.signal === undefined ? {} : { signal: read.signal }),
    });
    resourceVersion ??= page.metadata.resourceVersion ?? '';
    if (page.metadata.resourceVersion !== resourceVersion) throw listInconsistent(path);
    for (const item of page.items ?? []) items.push(typed(kind, item));
    token = page.metadata.continue;
  } while (token !== undefined && token !== '');
  return { items, resourceVersion };
}

/** Items of built-in lists carry neither apiVersion nor kind, those of metadata alone another's; ours always carry their own. */
export function typed<T extends KubeObject>(kind: Kind<T>, item: T): T {
  if (kind.metadataOnly) return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
  return { ...item, apiVersion: item.apiVersion ?? apiVersionOf(kind), kind: item.kind ?? kind.kind };
}
