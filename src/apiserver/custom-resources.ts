// Custom resources: what each stored definition serves, kept current.

import { webhookClientIn } from './admission/webhook-client.ts';
import type { Core } from './core.ts';
import { Cleanup, type DeleteAll } from './custom-cleanup.ts';
import { Naming } from './definition-naming.ts';
import { hasCondition } from './objects/definition-names.ts';
import { DEFINITIONS, versionsOf } from './objects/definitions.ts';
import type { Conversion, JsonObject, PrinterColumn, Resource, ScalePaths } from './parts.ts';
import type { CustomResources } from './registry.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from './rules/json.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** What a definition serves; undefined while its names are not accepted. */
function servedBy(definition: JsonObject): CustomResources | undefined {
  if (!hasCondition(objectAt(definition, 'status'), 'Established')) return undefined;
  const spec = objectAt(definition, 'spec');
  const served = versionsOf(spec).filter(version => version.served === true);
  const terminating = objectAt(definition, 'metadata').deletionTimestamp !== undefined;
  const conversion = conversionOf(definition);
  return { resources: served.map(version => ({ ...resourceOf(definition, version), ...conversion })), terminating };
}

/** Nothing has to be converted while there is one version. */
function conversionOf(definition: JsonObject): { conversion?: Conversion } {
  const spec = objectAt(definition, 'spec');
  const versions = versionsOf(spec);
  const stored = versions.find(version => version.storage === true);
  if (versions.length < 2 || stored === undefined) return {};
  const { strategy, webhook } = objectAt(spec, 'conversion');
  const client = isObject(webhook) && strategy === 'Webhook' ? objectAt(webhook, 'clientConfig') : undefined;
  return {
    conversion: {
      webhook: client === undefined ? undefined : webhookClientIn(client),
      stored: resourceOf(definition, stored),
    },
  };
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
export function followDefinitions(core: Core, deleteAll: DeleteAll): () => void {
  const { store, registry } = core;
  for (const row of store.range(DEFINITIONS)?.rows ?? []) registry.setCustom(row.name, servedBy(row.object));
  const cleanup = new Cleanup(core, deleteAll);
  cleanup.resume();
  const naming = new Naming(core);
  return store.onChange(change => {
    if (change.row.storage === DEFINITIONS) {
      const isGone = change.type === 'deleted';
      registry.setCustom(change.row.name, isGone ? undefined : servedBy(change.row.object));
      naming.saw(change);
    }
    cleanup.sees(change);
  });
}
