// What `kubectl get` prints of each built-in kind: its columns, and the cells of one object with and without a status.

import { KINDS } from '../formats/kinds.ts';
import type { Case } from '../frame/case.ts';
import { podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { MORE_KINDS } from './more-kinds.ts';
import { TABLE } from './prepared.ts';

interface Body {
  readonly metadata?: { readonly name?: string };
}

type Kind = (typeof MORE_KINDS)[number];

async function inTable(t: Trial, { api, plural, body, clusterWide, status }: Kind): Promise<void> {
  const metadata = (body as Body).metadata ?? {};
  const name = clusterWide ? (metadata.name ?? t.own('one')) : 'a';
  const collection = clusterWide ? `${api}/${plural}` : await t.in(plural, api);
  const about = plural === 'events' ? { involvedObject: { kind: 'Pod', name: 'p', namespace: t.ns } } : {};
  if (clusterWide) t.after(() => t.quietly({ method: 'DELETE', path: `${collection}/${name}` }));
  if (plural === 'pods') await podsIn(t);
  const object = { ...body, ...about, metadata: { ...metadata, name } };
  const made = await t.quietly({ method: 'POST', path: collection, body: object });
  if (made.status !== 201) throw new Error(made.body.toString());
  const path = `${collection}/${name}`;
  await shown(t, path);
  if (status === undefined) return;
  const headers = { 'content-type': 'application/merge-patch+json' };
  const written = await t.quietly({ method: 'PATCH', path: `${path}/status`, headers, body: { status } });
  if (written.status !== 200) throw new Error(written.body.toString());
  await shown(t, path);
}

/** Columns with all they say but their prose, and the cells. */
async function shown(t: Trial, path: string): Promise<void> {
  const { json } = await t.quietly({ method: 'GET', path, headers: TABLE });
  t.note(
    'columns',
    json.columnDefinitions.map(({ name, type, format, priority }: Column) => [name, type, format, priority].join(' ')),
  );
  t.note('rows', { rows: json.rows.map(({ cells }: { cells: unknown }) => ({ cells })) });
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

/** A controller writes the status of these at once. */
const WITHOUT_RACES = KINDS.filter(({ plural }) => plural !== 'poddisruptionbudgets');

export const tables: readonly Case[] = [...WITHOUT_RACES, ...MORE_KINDS].map(kind => ({
  says: `a Table of ${kind.kind} of ${kind.api}`,
  steps: t => inTable(t, kind),
}));
