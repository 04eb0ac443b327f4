// Many bodies at one door, each wrong in one thing: every one is asked for in a dry run, so that none is in another's way.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

type Door = (t: Trial) => Promise<string>;
type Body = object;

/** The collection of one kind in the case's own Namespace. */
export const inOwnNamespace =
  (plural: string, api: string): Door =>
  t =>
    t.in(plural, api);

/** A kind that is in no Namespace. */
export const atCluster =
  (plural: string, api: string): Door =>
  async () =>
    `${api}/${plural}`;

/** Cases of one kind: what they say, and what each body makes of the sound one's fields. */
export const trying =
  (door: Door, sound: Body) =>
  (says: string, ...changes: readonly Body[]): Case => ({
    says,
    steps: async t => {
      const path = await door(t);
      for (const change of changes) {
        await t.post(`${path}?dryRun=All`, { ...sound, metadata: { name: t.own('a') }, ...change });
      }
    },
  });

/** The same, where what is taken differs (a listed difference): of it only the code is recorded. */
export const tryingRefusals =
  (door: Door, sound: Body) =>
  (says: string, ...changes: readonly Body[]): Case => ({
    says,
    steps: async t => {
      const path = `${await door(t)}?dryRun=All`;
      for (const [index, change] of changes.entries()) {
        const body = { ...sound, metadata: { name: t.own('a') }, ...change };
        const { status, json } = await t.quietly({ method: 'POST', path, body });
        t.note(`body ${index + 1}`, json.kind === 'Status' ? json : status);
      }
    },
  });

/** Cases of one kind that is there already: each change is a merge patch of it in a dry run. */
export const changing =
  (door: Door, sound: Body) =>
  (says: string, ...changes: readonly Body[]): Case => ({
    says,
    steps: async t => {
      const path = `${await made(t, door, sound)}?dryRun=All`;
      for (const change of changes) await t.patch(path, 'merge-patch+json', change);
    },
  });

/** The same, where what is taken differs. */
export const changingRefusals =
  (door: Door, sound: Body) =>
  (says: string, ...changes: readonly Body[]): Case => ({
    says,
    steps: async t => {
      const path = `${await made(t, door, sound)}?dryRun=All`;
      const headers = { 'content-type': 'application/merge-patch+json' };
      for (const [index, body] of changes.entries()) {
        const { status, json } = await t.quietly({ method: 'PATCH', path, body, headers });
        t.note(`change ${index + 1}`, json.kind === 'Status' ? json : status);
      }
    },
  });

async function made(t: Trial, door: Door, sound: Body): Promise<string> {
  const path = await door(t);
  const name = t.own('a');
  const { status, body } = await t.quietly({ method: 'POST', path, body: { ...sound, metadata: { name } } });
  if (status !== 201) throw new Error(`nothing to change: ${body.toString()}`);
  t.after(() => t.quietly({ method: 'DELETE', path: `${path}/${name}` }));
  return `${path}/${name}`;
}
