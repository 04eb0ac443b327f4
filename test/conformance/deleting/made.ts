// Objects that cases of deletion begin with.

import type { Told, Trial } from '../frame/trial.ts';

/** Makes an object without recording it, and answers it. */
export async function made(t: Trial, collection: string, body: object): Promise<Told['json']> {
  const { json, status } = await t.quietly({ method: 'POST', path: collection, body });
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json;
}

/** Changes an object without recording it. */
export async function merged(t: Trial, path: string, body: object): Promise<Told['json']> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  return (await t.quietly({ method: 'PATCH', path, body, headers })).json;
}

export const HOLD = 'example.com/hold';

/** A ConfigMap of the case's Namespace that is held by a finalizer until the case ends. */
export async function heldMap(t: Trial, name: string, metadata: object = {}): Promise<Told['json']> {
  const maps = await t.in('configmaps');
  t.after(() => merged(t, `${maps}/${name}`, { metadata: { finalizers: null } }));
  return made(t, maps, { metadata: { name, finalizers: [HOLD], ...metadata } });
}

/** The reference to an owner. */
export const owner = ({ apiVersion, kind, metadata }: Told['json'], more: object = {}): object => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  ...more,
});

/** Records whether the object is there, and its metadata without what varies. */
export async function noteState(t: Trial, path: string): Promise<void> {
  const { status, json } = await t.quietly({ method: 'GET', path });
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (status !== 200) return t.note(name, status);
  const { finalizers, deletionTimestamp, ownerReferences } = json.metadata;
  t.note(name, { finalizers, isDeleting: deletionTimestamp !== undefined, ownerReferences });
}

export const gone = (object: Told['json'] | undefined): boolean => object === undefined;
