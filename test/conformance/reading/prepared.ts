// What reading cases begin with: Secrets, of which no controller puts any into a Namespace, in a known order.

import type { Trial } from '../frame/trial.ts';

/** The path of the case's Secrets, once those of these names are there. */
export async function secretsIn(t: Trial, ...names: readonly string[]): Promise<string> {
  const secrets = await t.in('secrets');
  for (const name of names) await quietSecret(t, secrets, name);
  return secrets;
}

/** Creates one and answers its resourceVersion. */
export async function quietSecret(t: Trial, secrets: string, name: string, labels: object = {}): Promise<string> {
  const made = await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name, labels } } });
  if (made.status !== 201) throw new Error(made.body.toString());
  return made.json.metadata.resourceVersion as string;
}

/** Changes a label and answers the new resourceVersion. */
export async function label(t: Trial, object: string, labels: Record<string, string | null>): Promise<string> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const told = await t.quietly({ method: 'PATCH', path: object, headers, body: { metadata: { labels } } });
  if (told.status !== 200) throw new Error(told.body.toString());
  return told.json.metadata.resourceVersion as string;
}

/** The newest version that a list of the case's own knows. */
export async function versionOf(t: Trial, path: string): Promise<string> {
  const { json } = await t.quietly({ method: 'GET', path });
  return json.metadata.resourceVersion as string;
}

/**
 * Waits until what the server answers from its watch cache holds this version: a read at 0, or not older than an
 * earlier version, may rightly show less a moment after a write
 * (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions).
 */
export async function cached(t: Trial, path: string, version: string): Promise<void> {
  const query = `resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
  const told = await t.quietly({ method: 'GET', path: `${path}?${query}` });
  if (told.status !== 200) throw new Error(told.body.toString());
}

export const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
export const METADATA = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
export const METADATA_LIST = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
