// Objects that are stored in an older version: each is written once more as it is, and then no definition remembers that version.

import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { type Kind, metadataOf } from '../../kube/kind.ts';
import { keyOf, type ObjectKey } from '../../kube/object.ts';
import { storedKindOf } from './halves.ts';

const AT_ONCE = 8;
/** Somebody else's write between our two stores the object anew as well. */
const TRIES = 5;

/** The definition is ours already: it stores in the newest version. */
export async function rewriteStored(api: Api, definition: CustomResourceDefinition): Promise<void> {
  const kind = storedKindOf(definition);
  const keys = (await api.list(metadataOf(kind))).items.map(keyOf);
  const left = keys.values();
  const worker = async (): Promise<void> => {
    for (const key of left) await rewrite(api, kind, key);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await forgetOlder(api, definition, kind.version);
}

async function rewrite(api: Api, kind: Kind, key: ObjectKey): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const object = await api.find(kind, key);
      if (object !== undefined) await api.update(kind, object);
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || tries === TRIES) throw error;
    }
  }
}

async function forgetOlder(api: Api, { metadata: { name } }: CustomResourceDefinition, version: string): Promise<void> {
  const body = { status: { storedVersions: [version] } };
  await api.patch(CustomResourceDefinition, { name }, body, { subresource: 'status' });
}
