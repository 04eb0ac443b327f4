// Custom resources: what each stored definition serves, kept current, and the end of a deleted definition's objects.

import type { Identity } from '../kube/transport.ts';
import { CLEANUP_FINALIZER, versionsOf } from './objects/definitions.ts';
import type { JsonObject, PrinterColumn, Resource, ScalePaths } from './parts.ts';
import type { CustomResources, Registry } from './registry.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt, withMeta } from './rules/json.ts';
import type { Change, Row, Store } from './store.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** What a definition serves; undefined while its names are not accepted. */
function servedBy(definition: JsonObject): CustomResources | undefined {
  const conditions = listAt(objectAt(definition, 'status'), 'conditions').filter(isObject);
  const established = conditions.some(condition => condition.type === 'Established' && condition.status === 'True');
  if (!established) return undefined;
  const spec = objectAt(definition, 'spec');
  const served = versionsOf(spec).filter(version => version.served === true);
  const terminating = objectAt(definition, 'metadata').deletionTimestamp !== undefined;
  return { resources: served.map(version => resourceOf(definition, version)), terminating };
}

function resourceOf(definition: JsonObject, version: JsonObject): Resource {
  const spec = objectAt(definition, 'spec');
  const names = objectAt(spec, 'names');
  const subresources = objectAt(version, 'subresources');
  const kind = stringAt(names, 'kind');
  return {
    group: stringAt(spec, 'group'),
    version: stringAt(version, 'name'),
    kind,
    listKind: stringAt(names, 'listKind') || `${kind}List`,
    plural: stringAt(names, 'plural'),
    singular: stringAt(names, 'singular') || kind.toLowerCase(),
    namespaced: spec.scope === 'Namespaced',
    shortNames: stringsAt(names, 'shortNames'),
    categories: stringsAt(names, 'categories'),
    subresources: ['status', 'scale'].filter(name => isObject(subresources[name])),
    verbs: VERBS,
    storageName: stringAt(objectAt(definition, 'metadata'), 'name'),
    storageVersion: stringAt(
      versionsOf(spec).find(other => other.storage === true),
      'name',
    ),
    schema: objectAt(objectAt(version, 'schema'), 'openAPIV3Schema'),
    origin: 'custom',
    ...columnsOf(version),
    ...scaleOf(subresources),
    selectableFields: listAt(version, 'selectableFields')
      .filter(isObject)
      .map(field => stringAt(field, 'jsonPath').replace(/^\./, '')),
  };
}

function columnsOf(version: JsonObject): { printerColumns?: readonly PrinterColumn[] } {
  const columns = listAt(version, 'additionalPrinterColumns').filter(isObject);
  if (columns.length === 0) return {};
  const printerColumns = columns.map(column => ({
    name: stringAt(column, 'name'),
    type: stringAt(column, 'type'),
    format: stringAt(column, 'format'),
    description: stringAt(column, 'description'),
    priority: typeof column.priority === 'number' ? column.priority : 0,
    jsonPath: stringAt(column, 'jsonPath'),
  }));
  return { printerColumns };
}

function scaleOf(subresources: JsonObject): { scale?: ScalePaths } {
  const scale = subresources.scale;
  if (!isObject(scale)) return {};
  const labelSelectorPath = stringAt(scale, 'labelSelectorPath');
  return {
    scale: {
      specReplicasPath: stringAt(scale, 'specReplicasPath'),
      statusReplicasPath: stringAt(scale, 'statusReplicasPath'),
      ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
    },
  };
}

/** Deletes every object of a storage, as the server itself. */
export type DeleteAll = (resource: Resource, identity: Identity) => Promise<void>;

const SERVER: Identity = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** Follows the definitions in `store`: serves them in `registry`, and empties deleted ones. */
export function followDefinitions(store: Store, registry: Registry, deleteAll: DeleteAll): () => void {
  for (const row of store.range(DEFINITIONS)?.rows ?? []) registry.setCustom(row.name, servedBy(row.object));
  const cleanup = new Cleanup(store, registry, deleteAll);
  cleanup.resume();
  return store.onChange(change => {
    if (change.row.storage === DEFINITIONS) {
      const served = change.type === 'deleted' ? undefined : servedBy(change.row.object);
      registry.setCustom(change.row.name, served);
    }
    cleanup.sees(change);
  });
}

/** Takes the last finalizer off a deleted definition once none of its objects is left. */
class Cleanup {
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
