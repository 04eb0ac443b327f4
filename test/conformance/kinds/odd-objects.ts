// Many odd objects of one kind, each asked for in a dry run: of what is refused every cause counts, of what is taken the code.

import type { Case } from '../frame/case.ts';
import type { Told, Trial } from '../frame/trial.ts';

type Fields = Readonly<Record<string, unknown>>;
/** What is odd, and what it makes of the sound object: fields beside `spec` and those in it. */
export type Row = readonly [what: string, change: Fields, spec?: Fields];

export interface Kind {
  readonly door: (t: Trial) => Promise<string>;
  readonly sound: Fields;
}

export const inNamespace =
  (plural: string, api: string): Kind['door'] =>
  t =>
    t.in(plural, api);

export const inCluster =
  (plural: string, api: string): Kind['door'] =>
  async () =>
    `${api}/${plural}`;

const changed = (sound: Fields, change: Fields, spec: Fields): Fields => ({
  ...sound,
  ...change,
  ...(sound.spec === undefined && Object.keys(spec).length === 0
    ? {}
    : { spec: { ...(sound.spec as object), ...spec } }),
});

const metadataOf = (t: Trial, { metadata }: Fields): object => ({ name: t.own('a'), ...(metadata as object) });

/** Each as a new object. */
export const odd = ({ door, sound }: Kind, says: string, ...rows: readonly Row[]): Case => ({
  says,
  steps: async t => {
    const path = `${await door(t)}?dryRun=All`;
    for (const [what, change, spec = {}] of rows) {
      const object = changed(sound, change, spec);
      const answer = await t.quietly({ method: 'POST', path, body: { ...object, metadata: metadataOf(t, object) } });
      t.note(what, verdict(answer));
    }
  },
});

interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

export function verdict({ status, json, headers }: Told): readonly unknown[] {
  const warnings = headers.warning === undefined ? [] : [headers.warning];
  if (json.kind !== 'Status' || json.status !== 'Failure') return [status, ...warnings];
  const causes: readonly Cause[] | undefined = json.details?.causes;
  if (causes === undefined) return [status, json.message, ...warnings];
  return [status, ...causes.map(({ reason, field, message }) => `${reason} ${field}: ${message}`), ...warnings];
}

/** What is odd in a change, the part of the object that it is made through, and the merge patch. */
export type Change = readonly [what: string, part: string, patch: object];

/** Each as a change of an object that is there. */
export const oddChanges = ({ door, sound }: Kind, says: string, ...rows: readonly Change[]): Case => ({
  says,
  steps: async t => {
    const path = await door(t);
    const metadata = metadataOf(t, sound) as { readonly name: string };
    const object = `${path}/${metadata.name}`;
    t.after(() => t.quietly({ method: 'DELETE', path: object }));
    t.note('made', verdict(await t.quietly({ method: 'POST', path, body: { ...sound, metadata } })));
    const headers = { 'content-type': 'application/merge-patch+json' };
    for (const [what, part, body] of rows) {
      const answer = await t.quietly({ method: 'PATCH', path: `${object}${part}?dryRun=All`, headers, body });
      t.note(what, verdict(answer));
    }
  },
});
