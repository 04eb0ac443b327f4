// How an object of thousands says what holds it up: in a condition where its definition has them, else in an Event.

import type { Caches } from './cache.ts';
import { conditionOf, conditionsOf, type Verdict, withVerdicts } from './conditions.ts';
import type { KubeWorld } from './controller.ts';
import { type Kind, resourceName } from './kind.ts';
import { effective, type Fields } from './merge-patch.ts';
import { type KubeObject, keyOf } from './object.ts';

/** A verdict that stands, unlike one that takes a condition away. */
export type Said = Exclude<Verdict, { status: null }>;

/** Words told lately, so that an Event is sent when they change and not on every pass. */
const MOST_REMEMBERED = 10_000;

interface Spoken {
  /** Kinds whose definition drops conditions: upstream's, where Pippin runs beside it. */
  readonly without: Set<string>;
  readonly words: Map<string, string>;
}

const spoken = new WeakMap<Caches, Spoken>();

type StandingWorld = Pick<KubeWorld, 'api' | 'caches' | 'clock' | 'events'>;

/** Writes status fields and what is said, once, and only what changes. Answers the object as it is then. */
export async function writeStanding<T extends KubeObject>(
  world: StandingWorld,
  kind: Kind<T>,
  object: T,
  standing: { readonly status?: Fields; readonly said?: readonly Said[] },
): Promise<T> {
  const { without } = spokenIn(world.caches);
  const news = (standing.said ?? []).filter(said => isNews(object, said));
  const inEvents = without.has(resourceName(kind));
  const fields = effective(statusOf(object), standing.status ?? {});
  const verdicts = inEvents ? [] : news;
  const conditions = withVerdicts(conditionsOf(object), verdicts, world.clock.now());
  const status = { ...fields, ...(verdicts.length > 0 ? { conditions } : {}) };
  const written = Object.keys(status).length === 0 ? object : await patched(world, kind, object, status);
  if (verdicts.length > 0 && conditionsOf(written).length === 0) without.add(resourceName(kind));
  if (without.has(resourceName(kind))) for (const said of news) tell(world, written, said);
  return written;
}

function patched<T extends KubeObject>({ api }: StandingWorld, kind: Kind<T>, object: T, status: Fields): Promise<T> {
  const { uid, resourceVersion } = object.metadata;
  const body = { metadata: { uid, resourceVersion }, status };
  return api.patch(kind, keyOf(object), body, { subresource: 'status' });
}

function isNews(object: KubeObject, said: Said): boolean {
  const before = conditionOf(object, said.type);
  return before?.status !== said.status || before.reason !== said.reason || before.message !== said.message;
}

function tell(
  { caches, events }: StandingWorld,
  object: KubeObject,
  { type, reason = type, message = '' }: Said,
): void {
  const { words } = spokenIn(caches);
  const about = `${object.metadata.uid} ${type}`;
  const text = `${reason}: ${message}`;
  if (words.get(about) === text || message === '') return;
  words.delete(about);
  words.set(about, text);
  const [oldest] = words.keys();
  if (words.size > MOST_REMEMBERED && oldest !== undefined) words.delete(oldest);
  events.warning(object, reason, message);
}

function spokenIn(caches: Caches): Spoken {
  const before = spoken.get(caches);
  if (before !== undefined) return before;
  const fresh = { without: new Set<string>(), words: new Map<string, string>() };
  spoken.set(caches, fresh);
  return fresh;
}

const statusOf = (object: KubeObject): Fields => (object as { status?: Fields }).status ?? {};
