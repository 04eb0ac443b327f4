// get and list: from memory, at the newest revision or a remembered one, whole or in pages.

import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor, acceptedForList, presentList, presentRow } from '../answer/present.ts';
import type { ListMeta } from '../answer/render.ts';
import { badRequest, expired, notFound, tooLargeRevision, unexpected } from '../answer/status.ts';
import { shownRow, shownRows } from '../conversion/converted.ts';
import { readToday } from '../conversion/outgrown.ts';
import { type Call, keyOf, subjectOf } from '../core.ts';
import type { Accepted } from '../request/accept.ts';
import { decodeToken, encodeToken } from '../request/continue-token.ts';
import { checkListOptions } from '../request/list-checks.ts';
import { type ListOptions, listOptions } from '../request/list-options.ts';
import { revisionProblem } from '../request/revision.ts';
import { keyInStorage, type Range, type RangeOptions, type Row } from '../store.ts';

const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The stored object, or NotFound. */
export function rowOrNotFound(call: Call, name: string = call.path.name): Row {
  const row = call.core.store.get(keyOf(call, name));
  if (row === undefined) throw notFound(subjectOf(call, name));
  return row;
}

export function getObject(call: Call): ApiResponse | Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const version = call.query.get('resourceVersion') ?? '';
  const problem = version === '' ? undefined : revisionProblem(version);
  if (problem !== undefined) throw unexpected(problem);
  checkRevision(call, version);
  const row = shownRow(call, rowOrNotFound(call));
  const present = (shown: Row): ApiResponse => presentRow(call, shown, 200, accepted);
  return row instanceof Promise ? row.then(present) : present(row);
}

export function listObjects(call: Call): ApiResponse | Promise<ApiResponse> {
  const accepted = acceptedForList(call);
  const options = listOptions(call.query, call.resource, call.path.name);
  return presentPage(call, selectPage(call, options), accepted);
}

export function presentPage(call: Call, page: Page, accepted: Accepted): ApiResponse | Promise<ApiResponse> {
  const rows = shownRows(call, page.rows);
  if (!(rows instanceof Promise)) return presentShown(call, rows === page.rows ? page : { ...page, rows }, accepted);
  return rows.then(shown => presentShown(call, { ...page, rows: shown }, accepted));
}

function presentShown(call: Call, { rows, meta }: Page, accepted: Accepted): ApiResponse {
  // Lists of custom resources always say where they go on, if only that they do not.
  const isPlain = call.resource.origin === 'custom' && accepted.shape === 'object';
  const said = isPlain ? { continue: '', ...meta } : meta;
  return presentList(call, rows, said, accepted);
}

/** What a list answers, or a deletion of all that it selects. */
interface Page {
  readonly rows: readonly Row[];
  readonly meta: ListMeta;
}

export function selectPage(call: Call, options: ListOptions): Page {
  const start = startOf(call, options);
  const { selects } = options;
  // "Any version will do" is answered whole, as from the real server's cache.
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  if (selects !== undefined) return selectedPage(call, rangeOf(call, start), { selects, limit });

  const range = rangeOf(call, limit > 0 ? { ...start, limit } : start);
  const last = range.rows.at(-1);
  const meta = { resourceVersion: String(range.revision) };
  if (range.remaining === 0 || last === undefined) return { rows: range.rows, meta };
  return { rows: range.rows, meta: { ...meta, ...next(call, range, last), remainingItemCount: range.remaining } };
}

interface Selection {
  readonly selects: NonNullable<ListOptions['selects']>;
  readonly limit: number;
}

/** With a selector nobody knows how many remain without looking, so the count is left out. */
function selectedPage(call: Call, range: Range, { selects, limit }: Selection): Page {
  const { core, resource } = call;
  const selected = range.rows.filter(row => selects(readToday(core, resource, row).object));
  const meta = { resourceVersion: String(range.revision) };
  if (limit <= 0 || selected.length <= limit) return { rows: selected, meta };
  const rows = selected.slice(0, limit);
  const last = rows.at(-1);
  return { rows, meta: last === undefined ? meta : { ...meta, ...next(call, range, last) } };
}

function next(call: Call, { revision }: Range, last: Row): { continue: string } {
  return { continue: tokenAt(call, revision, keyInStorage(last)) };
}

const tokenAt = (call: Call, revision: number, after: string): string =>
  encodeToken({ revision, after: after.slice(prefixOf(call).length) });

/** What the keys of the collection that is listed have in common: a token holds only what follows. */
const prefixOf = ({ path }: Call): string => (path.namespace === '' ? '' : `${path.namespace}/`);

function rangeOf(call: Call, options: RangeOptions): Range {
  const { namespace } = call.path;
  const { store } = call.core;
  const range = store.range(call.resource.storageName, namespace === '' ? options : { ...options, namespace });
  if (range !== undefined) return range;
  if (options.after === undefined) throw expired(`The resourceVersion for the provided list is too old.`);
  throw expired(TOKEN_EXPIRED, tokenAt(call, -1, options.after));
}

/** Where the list starts: a token's place and revision, or the revision that was asked for. */
function startOf(call: Call, options: ListOptions): RangeOptions {
  checkListOptions(options);
  if (options.continueToken !== '') return continued(call, options);
  const revision = checkRevision(call, options.resourceVersion);
  const exact = options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  return exact && revision > 0 ? { at: revision } : {};
}

function continued(call: Call, { continueToken, resourceVersion }: ListOptions): RangeOptions {
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const token = decodeToken(continueToken);
  if (typeof token === 'string') throw badRequest(`invalid continue token: continue key is not valid: ${token}`);
  const after = `${prefixOf(call)}${token.after}`;
  return token.revision < 0 ? { after } : { after, at: token.revision };
}

/** The asked revision as a number (0 when unset); refused when it is none or lies ahead. */
function checkRevision({ core }: Call, text: string): number {
  if (text === '') return 0;
  const problem = revisionProblem(text);
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  const revision = Number(text);
  if (revision > core.store.revision) throw tooLargeRevision(revision, core.store.revision);
  return revision;
}
