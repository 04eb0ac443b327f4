// Plays the table of a node's verbs on an API, whichever it is.

import type { JsonObject } from '../../../src/apiserver/parts.ts';
import type { Ask } from './asking.ts';
import { IN_NS, OTHER, OWN } from './objects.ts';
import { type Current, type Verb, verbs } from './verbs.ts';

export interface Player {
  readonly admin: Ask;
  readonly node: Ask;
  /** A PEM request in base64, as its field wants it. */
  readonly request: (commonName: string) => Promise<string>;
}

export interface Played {
  readonly says: string;
  readonly code: number;
  /** Why it was refused; empty when it was not. */
  readonly message: string;
}

/** What the answers are. The table is played from top to bottom. */
export async function playVerbs(player: Player): Promise<readonly Played[]> {
  const known = await knownTo(player);
  const played: Played[] = [];
  for (const verb of verbs) played.push(await playOne(verb, player, known));
  return played;
}

type Known = Omit<Current, 'object'>;

async function knownTo({ admin, request }: Player): Promise<Known> {
  const requests = new Map<string, string>();
  const uidOf: Record<string, string> = {};
  for (const mac of [OWN, OTHER]) {
    const user = `system:node:${mac}`;
    requests.set(user, await request(user));
    const { body } = await admin({ method: 'GET', path: `${IN_NS}/pods/on-${mac}` });
    uidOf[`on-${mac}`] = String((body.metadata as JsonObject).uid);
  }
  return { uidOf, request: commonName => requests.get(commonName) ?? '' };
}

async function playOne(verb: Verb, player: Player, known: Known): Promise<Played> {
  const { says, by = 'node', method, path, query } = verb;
  const body = await bodyOf(verb, player.admin, known);
  const answer = await player[by]({
    method,
    path,
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  });
  return { says, code: answer.code, message: answer.code < 400 ? '' : String(answer.body.message ?? '') };
}

async function bodyOf({ body, path }: Verb, admin: Ask, known: Known): Promise<unknown> {
  if (typeof body !== 'function') return body;
  const { body: object } = await admin({ method: 'GET', path: path.replace(/\/status$/, '') });
  return body({ ...known, object });
}
