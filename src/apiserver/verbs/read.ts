// get and list: from memory, at the newest revision or a remembered one, whole or in pages.

import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedForList, presentList, presentRow } from '../answer/present.ts';
import type { ListMeta } from '../answer/render.ts';
import { badRequest, expired, invalid, notFound, tooLargeRevision, unexpected } from '../answer/status.ts';
import { type Call, keyOf, subjectOf } from '../core.ts';
import type { FieldError } from '../parts.ts';
import { decodeToken, encodeToken } from '../request/continue-token.ts';
import { type ListOptions, listOptions } from '../request/list-options.ts';
import { keyInStorage, type Range, type RangeOptions, type Row } from '../store.ts';

const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The stored object, or NotFound. */
export function rowOrNotFound(call: Call, name: string = call.path.name): Row {
  const row = call.core.store.get(keyOf(call, name));
  if (row === undefined) throw notFound(subjectOf(call, name));
  return row;
}

export function getObject(call: Call): ApiResponse {
  const version = call.query.get('resourceVersion') ?? '';
  const problem = version === '' ? undefined : revisionProblem(version);
  if (problem !== undefined) throw unexpected(problem);
  checkRevision(call, version);
  return presentRow(call, rowOrNotFound(call));
}

export function listObjects(call: Call): ApiResponse {
  const accepted = acceptedForList(call);
  const options = listOptions(call.query, call.resource, call.path.name);
  const { rows, meta } = selectPage(call, options);
  // Lists of custom resources always say where they go on, if only that they do not.
  const isPlain = call.resource.origin === 'custom' && accepted.shape === 'object';
  const said = isPlain ? { continue: '', ...meta } : meta;
  return presentList(call, rows, said, accepted);
}

/** All selected objects now, for what acts on a whole collection. */
export function selectAll(call: Call, options: ListOptions): readonly Row[] {
  return rangeOf(call, {}).rows.filter(row => options.selects?.(row.object) ?? true);
}

interface Page {
  readonly rows: readonly Row[];
  readonly meta: ListMeta;
}

function selectPage(call: Call, options: ListOptions): Page {
  const start = startOf(call, options);
  const { selects } = options;
  // "Any version will do" is answered whole, as from the real server's cache.
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  if (selects !== undefined) return selectedPage(rangeOf(call, start), selects, limit);

  const range = rangeOf(call, limit > 0 ? { ...start, limit } : start);
  const last = range.rows.at(-1);
  const meta = { resourceVersion: String(range.revision) };
  if (range.remaining === 0 || last === undefined) return { rows: range.rows, meta };
  return { rows: range.rows, meta: { ...meta, ...next(range, last), remainingItemCount: range.remaining } };
}

/** With a selector nobody knows how many remain without looking, so the count is left out. */
function selectedPage(range: Range, selects: NonNullable<ListOptions['selects']>, limit: number): Page {
  const selected = range.rows.filter(row => selects(row.object));
  const meta = { resourceVersion: String(range.revision) };
  if (limit <= 0 || selected.length <= limit) return { rows: selected, meta };
  const rows = selected.slice(0, limit);
  const last = rows.at(-1);
  return { rows, meta: last === undefined ? meta : { ...meta, ...next(range, last) } };
}

function next(range: Range, last: Row): { continue: string } {
  return { continue: encodeToken({ revision: range.revision, after: keyInStorage(last) }) };
}

function rangeOf(call: Call, options: RangeOptions): Range {
  const { namespace } = call.path;
  const { store } = call.core;
  const range = store.range(call.resource.storageName, namespace === '' ? options : { ...options, namespace });
  if (range !== undefined) return range;
  if (options.after === undefined) throw expired(`The resourceVersion for the provided list is too old.`);
  throw expired(TOKEN_EXPIRED, encodeToken({ revision: -1, after: options.after }));
}

/** Where the list starts: a token's place and revision, or the revision that was asked for. */
function startOf(call: Call, options: ListOptions): RangeOptions {
  checkMatch(options);
  if (options.continueToken !== '') return continued(options);
  const revision = checkRevision(call, options.resourceVersion);
  const exact = options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  return exact && revision > 0 ? { at: revision } : {};
}

function continued({ continueToken, resourceVersion }: ListOptions): RangeOptions {
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const token = decodeToken(continueToken);
  if (token === undefined) throw badRequest('invalid continue token: continue key is not valid');
  return token.revision < 0 ? { after: token.after } : { after: token.after, at: token.revision };
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

/** Why `text` is no resourceVersion; undefined: it is one. */
export function revisionProblem(text: string): string | undefined {
  if (/^\d{1,15}$/.test(text)) return undefined;
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
}

function checkMatch(options: ListOptions): void {
  const { resourceVersion, resourceVersionMatch: match, continueToken } = options;
  if (match === '') return;
  const problem = matchProblem(resourceVersion, match, continueToken);
  if (problem !== undefined) {
    throw invalid({ group: 'meta.k8s.io', resource: 'ListOptions', name: '' }, [
      { field: 'resourceVersionMatch', ...problem },
    ]);
  }
}

function matchProblem(version: string, match: string, token: string): Omit<FieldError, 'field'> | undefined {
  const forbidden = (why: string): Omit<FieldError, 'field'> => ({ type: 'Forbidden', message: `Forbidden: ${why}` });
  if (version === '') return forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (token !== '') return forbidden('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const message = `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`;
    return { type: 'NotSupported', message };
  }
  if (match === 'Exact' && version === '0') {
    return forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  return undefined;
}
