// Objects as another manager left them, from files: with status, with owners by UID, and those that are being deleted deleted.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { definitionsOf } from '../../../src/fleet/definitions.ts';
import { valueAt } from '../../../src/fleet/metal-endpoint/converters.ts';
import type { Api } from '../../../src/kube/api.ts';
import { Secret } from '../../../src/kube/core/other.ts';
import { type Kind, kindOf } from '../../../src/kube/kind.ts';
import { type KubeObject, keyOf } from '../../../src/kube/object.ts';

export const VERSIONS = ['1.8', '1.13'] as const;
export type UpstreamVersion = (typeof VERSIONS)[number];

type Written = KubeObject & { readonly status?: unknown };

/** Creates all objects of these files of a version, in their order. Answers them as they are then. */
export async function loadForeign(
  api: Api,
  version: UpstreamVersion,
  files: readonly string[],
): Promise<readonly KubeObject[]> {
  const uids = new Map<string, string>();
  const made: KubeObject[] = [];
  for (const text of files.flatMap(file => documentsOf(join(import.meta.dirname, version, `${file}.yaml`)))) {
    const object = await createOne(api, JSON.parse(withUids(text, uids)));
    uids.set(`${object.kind}/${object.metadata.name}`, object.metadata.uid ?? '');
    made.push(object);
  }
  // A second time round, so that nothing is deleted before what depends on it is there.
  for (const object of made) if (object.metadata.annotations?.[DELETED] === '') await deleteOne(api, object);
  return made;
}

const DELETED = 'test/deleted';

const documentsOf = (path: string): readonly string[] =>
  parseAllDocuments(readFileSync(path, 'utf8')).map(document => JSON.stringify(document.toJS()));

const withUids = (text: string, uids: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\$\(uid ([^)]+)\)/g, (_, name: string) => {
    const uid = uids.get(name);
    if (uid === undefined) throw new Error(`${name} is named before it is made`);
    return uid;
  });

async function createOne(api: Api, object: Written): Promise<KubeObject> {
  const { status, ...rest } = object;
  const { deletionTimestamp, ...metadata } = rest.metadata;
  const annotations = { ...metadata.annotations, ...(deletionTimestamp === undefined ? {} : { [DELETED]: '' }) };
  const kind = kindFor(object);
  const created = await api.create(kind, { ...rest, metadata: { ...metadata, annotations } });
  if (status === undefined) return created;
  return api.patch(kind, keyOf(object), { status }, { subresource: 'status' });
}

async function deleteOne(api: Api, object: KubeObject): Promise<void> {
  const kind = kindFor(object);
  await api.patch(kind, keyOf(object), { metadata: { annotations: { [DELETED]: null } } });
  await api.delete(kind, keyOf(object));
}

function kindFor({ apiVersion, kind }: KubeObject): Kind {
  if (kind === 'Secret') return Secret;
  const [group] = apiVersion.split('/');
  const all = definitionsOf(['mac', 'metal', 'stand-ins for metal']);
  const found = all.find(({ spec }) => valueAt(spec, 'group') === group && valueAt(spec, 'names', 'kind') === kind);
  return kindOf(apiVersion, kind, String(valueAt(found?.spec, 'names', 'plural')), 'Namespaced');
}
