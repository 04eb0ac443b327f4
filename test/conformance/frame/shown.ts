// An answer as it is recorded: its code, the headers that are not what every answer has, and its masked body.

import type { Mask } from './mask.ts';
import type { Answer } from './wire.ts';
import { dumped } from './wire-dump.ts';

/** Differ by connection, or are masked out as a whole: dates, lengths, priority and fairness. */
const LEFT_OUT =
  /^(date|content-length|transfer-encoding|connection|keep-alive|x-kubernetes-pf-.*|audit-id|last-modified)$/;

/** What an answer has unless it says otherwise; only departures are recorded. */
const USUAL: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, private',
  'content-type': 'application/json',
};

/** What is compared: `[what was asked, code, headers, body]`, headers left out when they are the usual ones. */
export type Shown = readonly unknown[];

export function shownAnswer(asked: string, { status, headers, body }: Answer, mask: Mask): Shown {
  const unusual = shownHeaders(headers, mask);
  const shown = shownBody(headers['content-type'] ?? '', body, mask);
  return [asked, status, ...(Object.keys(unusual).length === 0 ? [] : [unusual]), shown];
}

export function shownHeaders(headers: Readonly<Record<string, string>>, mask: Mask): Record<string, string | null> {
  const shown: Record<string, string | null> = {};
  for (const name of Object.keys(USUAL)) if (headers[name] === undefined) shown[name] = null;
  for (const [name, value] of Object.entries(headers)) {
    if (!LEFT_OUT.test(name) && USUAL[name] !== value) shown[name] = mask.text(value);
  }
  return Object.fromEntries(Object.entries(shown).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shownBody(type: string, body: Buffer, mask: Mask): unknown {
  if (body.length === 0) return '';
  if (type.startsWith('application/vnd.kubernetes.protobuf')) return mask.json(dumped(body));
  if (!type.includes('json')) return mask.text(isText(type) ? body.toString() : `${body.length} bytes`);
  try {
    return mask.json(JSON.parse(body.toString()));
  } catch {
    return mask.text(body.toString());
  }
}

const isText = (type: string): boolean => type.startsWith('text/') || type.includes('yaml');
