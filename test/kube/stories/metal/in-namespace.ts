// An API, and the view of it, in which one namespace has the name that all scenarios give theirs.

import type { Api, ListOptions } from '../../../../src/kube/api.ts';
import type { Caches } from '../../../../src/kube/cache.ts';
import { Namespace } from '../../../../src/kube/core/other.ts';
import { type Kind, resourceName } from '../../../../src/kube/kind.ts';
import type { KubeObject, ObjectKey } from '../../../../src/kube/object.ts';
import { NS } from '../../../world/metal/names.ts';
import { metalView } from '../../../world/metal/view.ts';

export function inNamespace(api: Api, namespace: string): Api {
  const keyIn = (kind: Kind, key: ObjectKey): ObjectKey => {
    if (kind === (Namespace as Kind) && key.name === NS) return { name: namespace };
    return key.namespace === NS ? { ...key, namespace } : key;
  };
  const objectIn = <T extends KubeObject>(object: T): T =>
    object.metadata.namespace === NS ? { ...object, metadata: { ...object.metadata, namespace } } : object;
  return {
    get: (kind, key) => api.get(kind, keyIn(kind, key)),
    find: (kind, key) => api.find(kind, keyIn(kind, key)),
    list: (kind, options: ListOptions = {}) =>
      api.list(kind, options.namespace === NS ? { ...options, namespace } : options),
    create: (kind, object) => api.create(kind, objectIn(object)),
    createSub: (kind, key, subresource, body) => api.createSub(kind, keyIn(kind, key), subresource, body),
    update: (kind, object, subresource) => api.update(kind, objectIn(object), subresource),
    patch: (kind, key, body, how) => api.patch(kind, keyIn(kind, key), body, how),
    delete: (kind, key, how) => api.delete(kind, keyIn(kind, key), how),
    serves: kind => api.serves(kind),
    as: identity => inNamespace(api.as(identity), namespace),
  };
}

/** What the caches hold of a namespace, under the scenarios' name for it. Resolves once the first of it is listed. */
export async function viewOfNamespace(caches: Caches, namespace: string, kinds: readonly Kind[]) {
  const known = new Map(kinds.map(kind => [resourceName(kind), caches.of(kind)]));
  await Promise.all([...known.values()].map(cache => cache.whenSynced()));
  const renamed = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, namespace: NS },
  });
  return metalView({
    list: (resource: string) => {
      const cache = known.get(resource);
      if (cache === undefined) throw new Error(`the view has no ${resource}`);
      return cache.list(namespace).map(renamed) as readonly unknown[] as ReturnType<
        Parameters<typeof metalView>[0]['list']
      >;
    },
  });
}
