// Custom resources: what each stored definition serves, kept current.

import { type Clock, kubeTime } from '../base/clock.ts';
import type { Core } from './core.ts';
import { Cleanup, type DeleteAll } from './custom-cleanup.ts';
import { awaitsNames, hasCondition, withAcceptedNames } from './objects/definition-names.ts';
import { DEFINITIONS, versionsOf } from './objects/definitions.ts';
import type { JsonObject, PrinterColumn, Resource, ScalePaths } from './parts.ts';
import type { CustomResources } from './registry.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from './rules/json.ts';
import type { Store } from './store.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** What a definition serves; undefined while its names are not accepted. */
function servedBy(definition: JsonObject): CustomResources | undefined {
  if (!hasCondition(objectAt(definition, 'status'), 'Established')) return undefined;
  const spec = objectAt(definition, 'spec');
  const served = versionsOf(spec).filter(version => version.served === true);
  const terminating = objectAt(definition, 'metadata').deletionTimestamp !== undefined;
  return { resources: served.map(version => resourceOf(definition, version)), terminating };
}

function resourceOf(definition: JsonObject, version: JsonObject): Resource {
  const spec = objectAt(definition, 'spec');
  const names = { ...objectAt(spec, 'names'), ...objectAt(objectAt(definition, 'status'), 'acceptedNames') };
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

/** Follows the definitions in `store`: serves them, empties deleted ones, and gives names that become free to who waits. */
export function followDefinitions({ store, registry, clock }: Followed, deleteAll: DeleteAll): () => void {
  for (const row of store.range(DEFINITIONS)?.rows ?? []) registry.setCustom(row.name, servedBy(row.object));
  const cleanup = new Cleanup(store, registry, deleteAll);
  cleanup.resume();
  return store.onChange(change => {
    if (change.row.storage === DEFINITIONS) {
      const isGone = change.type === 'deleted';
      registry.setCustom(change.row.name, isGone ? undefined : servedBy(change.row.object));
      if (isGone) giveNames(store, clock);
    }
    cleanup.sees(change);
  });
}

type Followed = Pick<Core, 'store' | 'registry' | 'clock'>;

/** In the order of their keys: what one takes, the next one no longer gets. */
function giveNames(store: Store, clock: Clock): void {
  const rows = store.range(DEFINITIONS)?.rows ?? [];
  const definitions = rows.map(row => row.object);
  const context = { definitions, time: kubeTime(clock.now()) };
  for (const [index, { storage, namespace, name, revision, object: before }] of rows.entries()) {
    if (!awaitsNames(before)) continue;
    const status = withAcceptedNames(before, objectAt(before, 'status'), context);
    if (!hasCondition(status, 'NamesAccepted')) continue;
    const object = { ...before, status };
    definitions[index] = object;
    // A conflict means that somebody writes this definition now: that write looks at its names itself.
    void store.write({ storage, namespace, name, expected: revision, object });
  }
}
