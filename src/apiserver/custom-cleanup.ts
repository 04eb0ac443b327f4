// The end of a deleted definition: its objects are deleted first, and only then it goes itself.

import type { Identity } from '../kube/transport.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from './objects/definitions.ts';
import type { JsonObject, Resource } from './parts.ts';
import type { Registry } from './registry.ts';
import { objectAt, stringsAt, withMeta } from './rules/json.ts';
import type { Change, Row, Store } from './store.ts';

/** Deletes every object of a storage, as the server itself. */
export type DeleteAll = (resource: Resource, identity: Identity) => Promise<void>;

const SERVER: Identity = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** Takes the last finalizer off a deleted definition once none of its objects is left. */
export class Cleanup {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #deleteAll: DeleteAll;
  readonly #emptying = new Set<string>();

  constructor(store: Store, registry: Registry, deleteAll: DeleteAll) {
    this.#store = store;
    this.#registry = registry;
    this.#deleteAll = deleteAll;
  }

  resume(): void {
    for (const row of this.#store.range(DEFINITIONS)?.rows ?? []) this.#begin(row);
  }

  sees({ row, type }: Change): void {
    if (row.storage === DEFINITIONS && type !== 'deleted') this.#begin(row);
    else if (type === 'deleted' && this.#emptying.has(row.storage)) this.#finish(row.storage);
  }

  #begin(row: Row): void {
    if (!awaitsCleanup(row.object) || this.#emptying.has(row.name)) return;
    this.#emptying.add(row.name);
    const resource = this.#registry.byStorage(row.name);
    const emptied = resource === undefined ? Promise.resolve() : this.#deleteAll(resource, SERVER);
    // A failed deletion is tried again by whoever deletes the definition again; what is gone is looked at either way.
    emptied.then(
      () => this.#finish(row.name),
      () => this.#emptying.delete(row.name),
    );
  }

  #finish(name: string): void {
    if ((this.#store.range(name, { limit: 1 })?.rows.length ?? 0) > 0) return;
    const row = this.#store.get({ storage: DEFINITIONS, namespace: '', name });
    this.#emptying.delete(name);
    if (row === undefined || !awaitsCleanup(row.object)) return;
    void this.#release(row);
  }

  async #release(row: Row): Promise<void> {
    const finalizers = stringsAt(objectAt(row.object, 'metadata'), 'finalizers').filter(f => f !== CLEANUP_FINALIZER);
    const object = withMeta(row.object, { finalizers: finalizers.length === 0 ? undefined : finalizers });
    const { storage, namespace, name, revision } = row;
    const remove = finalizers.length === 0 ? { remove: true as const } : {};
    const answer = await this.#store.write({ storage, namespace, name, expected: revision, object, ...remove });
    if (answer.kind === 'conflict') this.#finish(name);
  }
}

function awaitsCleanup(definition: JsonObject): boolean {
  const metadata = objectAt(definition, 'metadata');
  return metadata.deletionTimestamp !== undefined && stringsAt(metadata, 'finalizers').includes(CLEANUP_FINALIZER);
}
