// A kind of the case's own in two versions, `spec.size` in v1 and `spec.count` in v2, and who converts them.

import { setTimeout as pause } from 'node:timers/promises';
import type { Case } from '../frame/case.ts';
import type { Hook, Respond } from '../frame/webhook.ts';

type Trial = Parameters<Case['steps']>[0];

export interface Thing {
  readonly hook: Hook;
  /** Paths of the collections. */
  readonly v1: string;
  readonly v2: string;
  body(version: string, name: string, spec: unknown): Record<string, unknown>;
  /** Makes it the version in which objects are stored from now on; answers `status.storedVersions`. */
  storeAs(version: string): Promise<unknown>;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SETTLE_POLL_MS = 50;
const SETTLE_POLLS = 300;

function versionNamed(name: string, field: string): Record<string, unknown> {
  const spec = { type: 'object', properties: { [field]: { type: 'integer', minimum: 0 } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return { name, served: true, storage: name === 'v1', schema };
}

/** Defines the kind with this conversion, and waits until both versions are served. */
export async function definedWith(t: Trial, hook: Hook, conversion: Record<string, unknown>): Promise<Thing> {
  const group = `${t.ns}.example.com`;
  const path = `${DEFINITIONS}/things.${group}`;
  const versions = [versionNamed('v1', 'size'), versionNamed('v2', 'count')];
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const spec = { group, names, scope: 'Namespaced', versions, conversion };
  t.after(() => t.quietly({ method: 'DELETE', path }));
  const made = await t.quietly({
    method: 'POST',
    path: DEFINITIONS,
    body: { metadata: { name: `things.${group}` }, spec },
  });
  if (made.status !== 201) throw new Error(`the definition was refused: ${made.body.toString()}`);
  const [v1, v2] = [await t.in('things', `/apis/${group}/v1`), await t.in('things', `/apis/${group}/v2`)];
  await untilServed(t, [v1, v2]);
  return {
    hook,
    v1,
    v2,
    body: (version, name, of) => ({
      apiVersion: `${group}/${version}`,
      kind: 'Thing',
      metadata: { name, namespace: t.ns },
      spec: of,
    }),
    storeAs: async version => {
      const stored = versions.map(each => ({ ...each, storage: each.name === version }));
      await t.quietly({
        method: 'PATCH',
        path,
        body: { spec: { versions: stored } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      const probe = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'probe' }, spec: {} };
      // Until a write in the old version is converted to be stored.
      for (let poll = 0; ; poll += 1) {
        hook.forget();
        await t.quietly({ method: 'POST', path: v1, body: probe });
        await t.quietly({ method: 'DELETE', path: `${v1}/probe` });
        if (hook.hasReceived()) break;
        if (poll === SETTLE_POLLS) throw new Error('the storage version did not change');
        await pause(SETTLE_POLL_MS);
      }
      return (await t.quietly({ method: 'GET', path })).json.status.storedVersions;
    },
  };
}

async function untilServed(t: Trial, paths: readonly string[]): Promise<void> {
  for (let poll = 0; ; poll += 1) {
    const answers = await Promise.all(paths.map(path => t.quietly({ method: 'GET', path })));
    if (answers.every(({ status }) => status === 200)) return;
    if (poll === SETTLE_POLLS) throw new Error('the versions are not served');
    await pause(SETTLE_POLL_MS);
  }
}

type Object = Record<string, unknown>;

/** Converts `size` to `count` and back; `change` has the last word on each object. */
export const converting =
  (change: (object: Object) => unknown = object => object): Respond =>
  ({ request }) => ({
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: {
        uid: request.uid,
        result: { status: 'Success' },
        convertedObjects: request.objects.map((object: Object) => change(converted(object, request.desiredAPIVersion))),
      },
    },
  });

function converted(object: Object, apiVersion: string): Object {
  const { size, count } = (object.spec ?? {}) as { size?: number; count?: number };
  const value = size ?? count;
  const field = apiVersion.endsWith('/v2') ? 'count' : 'size';
  return { ...object, apiVersion, spec: value === undefined ? {} : { [field]: value } };
}
