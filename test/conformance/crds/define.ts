// Definitions of a case's own: made as they are given, recorded or not, and taken away when the case ends.

import type { Told, Trial } from '../frame/trial.ts';
import type { Ask } from '../frame/wire.ts';

export type Json = Readonly<Record<string, unknown>>;

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const text = { type: 'string' } as const;
export const whole = { type: 'integer' } as const;

export const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
export const list = (items: Json, more: Json = {}): Json => ({ type: 'array', items, ...more });

/** The group of the case's own kinds. */
export const groupOf = (t: Trial): string => `${t.ns}.example.com`;

/** One version, served and stored, whose objects have this `spec`. */
export const version = (spec: Json, more: Json = {}): Json => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: object({ spec, status: object({ phase: text }) }) },
  ...more,
});

export interface Defining {
  readonly versions: readonly unknown[];
  readonly plural?: string;
  readonly scope?: string;
  readonly names?: Json;
  readonly spec?: Json;
  readonly metadata?: Json;
}

export function definition(t: Trial, { versions, plural = 'widgets', scope = 'Namespaced', ...more }: Defining): Json {
  const group = groupOf(t);
  const names = { plural, singular: 'widget', kind: 'Widget', listKind: 'WidgetList', ...more.names };
  return {
    metadata: { name: `${plural}.${group}`, ...more.metadata },
    spec: { group, scope, names, versions, ...more.spec },
  };
}

/** Makes the definition and records the answer; the path of one definition. */
export async function defined(t: Trial, how: Defining): Promise<Told> {
  const body = definition(t, how);
  removed(t, how);
  return t.post(DEFINITIONS, body);
}

/** The path of the definition itself. */
export const pathOf = (t: Trial, plural = 'widgets'): string => `${DEFINITIONS}/${plural}.${groupOf(t)}`;

function removed(t: Trial, { plural }: Defining): void {
  t.after(() => t.quietly({ method: 'DELETE', path: pathOf(t, plural) }));
}

/** Makes a kind without recording it, waits until it is served, and hands back where its objects are. */
export async function serving(t: Trial, how: Defining, served = 'v1'): Promise<string> {
  removed(t, how);
  const made = await t.quietly({ method: 'POST', path: DEFINITIONS, body: definition(t, how) });
  if (made.status !== 201) throw new Error(made.body.toString());
  const { plural = 'widgets', scope = 'Namespaced' } = how;
  const api = `/apis/${groupOf(t)}/${served}`;
  const path = scope === 'Cluster' ? `${api}/${plural}` : await t.in(plural, api);
  await untilServed(t, path);
  return path;
}

export async function untilServed(t: Trial, path: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await t.quietly({ method: 'GET', path })).status === 200) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`${path} is not served`);
}

/** What is at the path once it is as told; nothing of it is recorded. */
export async function settled(t: Trial, path: string, isSo: (object: Json) => boolean): Promise<Json> {
  for (let tries = 0; tries < 400; tries++) {
    const { json } = await t.quietly({ method: 'GET', path });
    if (isSo(json)) return json;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`${path} did not settle`);
}

/** A kind's watches are refused with 429 while the real server gets ready for them. */
export async function watchable(t: Trial, path: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await t.quietly({ method: 'GET', path: `${path}?watch=1&timeoutSeconds=1` });
    if (status === 200) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`${path} cannot be watched`);
}

/** Gives the kind another version, and asks until the answer shows it; if it never does, the case's own answers will. */
export async function redefined(t: Trial, version: Json, ask: Ask, shows: (told: Told) => boolean): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  await t.quietly({ method: 'PATCH', path: pathOf(t), headers, body: { spec: { versions: [version] } } });
  for (let tries = 0; tries < 200; tries++) {
    if (shows(await t.quietly(ask))) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** An object of the case's kind. */
export const widget = (t: Trial, spec: unknown, more: Json = {}): Json => ({
  apiVersion: `${groupOf(t)}/v1`,
  kind: 'Widget',
  metadata: { name: 'a' },
  spec,
  ...more,
});
