// An API whose writes are noted as they are answered, so that their controller's caches are held to them.

import type { Api } from './api.ts';
import { ApiError } from './errors.ts';
import type { Kind } from './kind.ts';
import { isDeleting, type KubeObject, keyOf } from './object.ts';
import type { OwnWrites, Shows } from './own-writes.ts';

/** What a write below an object does to it, where the answer does not say. */
const SHOWN_AFTER: Readonly<Record<string, Shows>> = {
  binding: pod => pod === undefined || (pod as { spec?: { nodeName?: string } }).spec?.nodeName !== undefined,
  eviction: pod => pod === undefined || isDeleting(pod),
};

/** `api`, with every write noted in `writes`. */
export function notingApi(api: Api, writes: OwnWrites): Api {
  return {
    get: (kind, key) => api.get(kind, key),
    find: (kind, key) => api.find(kind, key),
    list: (kind, options) => api.list(kind, options),
    serves: kind => api.serves(kind),
    create: (kind, object) => answered(writes, kind, api.create(kind, object)),
    update: (kind, object, subresource) => answered(writes, kind, api.update(kind, object, subresource)),
    patch: (kind, key, body, options) => answered(writes, kind, api.patch(kind, key, body, options)),
    createSub: async <R>(...[kind, key, subresource, body]: Parameters<Api['createSub']>): Promise<R> => {
      const answer = await unlessLost(writes, kind, api.createSub<R>(kind, key, subresource, body));
      const shows = SHOWN_AFTER[subresource];
      if (shows !== undefined) writes.noteUntil(kind, key, shows);
      return answer;
    },
    delete: async (kind, key, options = {}) => {
      await unlessLost(writes, kind, api.delete(kind, key, options));
      const isOther = (object: KubeObject): boolean => options.uid !== undefined && options.uid !== object.metadata.uid;
      writes.noteUntil(kind, key, cached => cached === undefined || isDeleting(cached) || isOther(cached));
    },
    as: identity => notingApi(api.as(identity), writes),
  };
}

async function answered<T extends KubeObject>(writes: OwnWrites, kind: Kind<T>, write: Promise<T>): Promise<T> {
  const object = await unlessLost(writes, kind, write);
  writes.note(kind, object.metadata?.resourceVersion);
  if (isLast(object)) {
    const { uid } = object.metadata;
    writes.noteUntil(kind, keyOf(object), cached => cached === undefined || cached.metadata.uid !== uid);
  }
  return object;
}

/** The write that took the last finalizer off: the object is gone, though its answer has the version from before. */
function isLast(object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = object.metadata ?? {};
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** No answer, or a server error: whether it was carried out is not known, and the cache is read anew before it is trusted. */
async function unlessLost<R>(writes: OwnWrites, kind: Kind, write: Promise<R>): Promise<R> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus >= 500) writes.note(kind, undefined);
    throw error;
  }
}
