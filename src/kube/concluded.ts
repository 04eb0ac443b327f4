// Own writes from which a pass has drawn its conclusions: the watch events that only echo them wake its key for nothing.

import type { Api } from './api.ts';
import type { CacheChange } from './cache.ts';
import { type Kind, resourceName } from './kind.ts';
import type { KubeObject } from './object.ts';

/** The versions that the writes of one pass made. What was answered is what the server holds: nothing else is kept. */
export class Concluded {
  /** Version made, by kind, with the version that it was made of; undefined: the object was created. */
  private readonly made = new Map<string, string | undefined>();

  get isBlank(): boolean {
    return this.made.size === 0;
  }

  noteCreated(kind: Kind, { metadata }: KubeObject): void {
    const version = metadata?.resourceVersion;
    if (version !== undefined) this.made.set(nameOf(kind, version), undefined);
  }

  /** Without `base`, the version that it was locked to, a write may have another's change in it: it is heard. */
  noteChanged(kind: Kind, { metadata }: KubeObject, base: string | undefined): void {
    const version = metadata?.resourceVersion;
    if (version !== undefined && base !== undefined && base !== version) this.made.set(nameOf(kind, version), base);
  }

  /**
   * Whether a change shows one of these writes and nothing besides. A list that catches up shows several at once: what
   * the cache held before tells. A deletion is always news.
   */
  isEcho(kind: Kind, { type, object, previous }: CacheChange<KubeObject>): boolean {
    const { resourceVersion } = object.metadata;
    if (type === 'deleted' || resourceVersion === undefined || this.made.size === 0) return false;
    const name = nameOf(kind, resourceVersion);
    return this.made.has(name) && this.made.get(name) === previous?.metadata.resourceVersion;
  }
}

const nameOf = (kind: Kind, version: string): string => `${resourceName(kind)} ${version}`;

/** `api`, with every answered write noted in `concluded`. */
export function concludingApi(api: Api, concluded: Concluded): Api {
  const changed = async <T extends KubeObject>(kind: Kind<T>, write: Promise<T>, base?: string): Promise<T> => {
    const object = await write;
    concluded.noteChanged(kind, object, base);
    return object;
  };
  return {
    ...api,
    create: async (kind, object) => {
      const created = await api.create(kind, object);
      concluded.noteCreated(kind, created);
      return created;
    },
    update: (kind, object, subresource) =>
      changed(kind, api.update(kind, object, subresource), object.metadata.resourceVersion),
    patch: (kind, key, body, options) => changed(kind, api.patch(kind, key, body, options), lockOf(body)),
  };
}

/** The version that a merge patch is locked to. */
function lockOf(body: unknown): string | undefined {
  const { metadata } = (body ?? {}) as { readonly metadata?: { readonly resourceVersion?: string } };
  return metadata?.resourceVersion;
}
