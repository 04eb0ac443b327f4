// A handful of objects as `Stored`, for the tests of this folder.

import type { Attributes, JsonObject, Stored } from '../parts.ts';
import { textAt } from './fields.ts';

/** Objects by storage name. `revision` counts writes, as the real store does. */
export class StoredObjects implements Stored {
  private readonly objects = new Map<string, JsonObject[]>();
  private readonly writes = new Map<string, number>();
  /** How often each storage was listed: shows what is cached. */
  readonly lists = new Map<string, number>();

  put(storageName: string, ...objects: readonly JsonObject[]): this {
    for (const object of objects) {
      const others = this.of(storageName).filter(other => keyOf(other) !== keyOf(object));
      this.objects.set(storageName, [...others, object]);
      this.writes.set(storageName, this.revision(storageName) + 1);
    }
    return this;
  }

  remove(storageName: string, namespace: string, name: string): void {
    const rest = this.of(storageName).filter(other => keyOf(other) !== `${namespace}/${name}`);
    this.objects.set(storageName, rest);
    this.writes.set(storageName, this.revision(storageName) + 1);
  }

  get(storageName: string, namespace: string, name: string): JsonObject | undefined {
    return this.of(storageName).find(object => keyOf(object) === `${namespace}/${name}`);
  }

  list(storageName: string, namespace?: string): readonly JsonObject[] {
    this.lists.set(storageName, (this.lists.get(storageName) ?? 0) + 1);
    const all = this.of(storageName);
    return namespace === undefined ? all : all.filter(object => textAt(object, 'metadata', 'namespace') === namespace);
  }

  revision(storageName: string): number {
    return this.writes.get(storageName) ?? 0;
  }

  private of(storageName: string): JsonObject[] {
    return this.objects.get(storageName) ?? [];
  }
}

const keyOf = (object: JsonObject): string =>
  `${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')}`;

/** Attributes of a request; what is not given is empty. `resource` may be `pods/status` or `leases.coordination.k8s.io`. */
export function asking(
  identity: { readonly name: string; readonly groups?: readonly string[] },
  verb: string,
  resource: string,
  more: Partial<Attributes> = {},
): Attributes {
  const [whole = '', subresource = ''] = resource.split('/');
  const dot = whole.indexOf('.');
  return {
    identity: { name: identity.name, groups: identity.groups ?? [] },
    verb,
    group: dot < 0 ? '' : whole.slice(dot + 1),
    version: 'v1',
    resource: dot < 0 ? whole : whole.slice(0, dot),
    subresource,
    namespace: '',
    name: '',
    path: '',
    fieldSelector: '',
    labelSelector: '',
    ...more,
  };
}

/** Every object of the list into its store, by kind. */
export function storedRbac(objects: readonly JsonObject[]): StoredObjects {
  const stored = new StoredObjects();
  for (const object of objects) {
    stored.put(`${textAt(object, 'kind').toLowerCase()}s.rbac.authorization.k8s.io`, object);
  }
  return stored;
}
