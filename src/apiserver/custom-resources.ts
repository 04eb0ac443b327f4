// Custom resources: what each stored definition serves, kept current.

import { webhookClientIn } from './admission/webhook-client.ts';
import { API_SERVICES, ApiServices } from './api-services.ts';
import type { Core } from './core.ts';
import { Cleanup, type DeleteAll } from './custom-cleanup.ts';
import { Naming } from './definition-naming.ts';
import { InTurn } from './in-turn.ts';
import { hasCondition } from './objects/definition-names.ts';
import { DEFINITIONS, versionsOf } from './objects/definitions.ts';
import type { Conversion, Json, JsonObject, PrinterColumn, Resource, ScalePaths } from './parts.ts';
import { byVersionPriority, type CustomResources } from './registry.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt } from './rules/json.ts';
import { SchemaAges } from './schema-ages.ts';
import type { Change, Row } from './store.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** What a definition serves; undefined while its names are not accepted. */
function servedBy(definition: JsonObject, schemaSince: number | undefined): CustomResources | undefined {
  if (!hasCondition(objectAt(definition, 'status'), 'Established')) return undefined;
  const spec = objectAt(definition, 'spec');
  const served = versionsOf(spec).filter(version => version.served === true);
  const terminating = objectAt(definition, 'metadata').deletionTimestamp !== undefined;
  const conversion = conversionOf(definition);
  const since = schemaSince === undefined ? {} : { schemaSince };
  const resources = served.map(version => ({ ...resourceOf(definition, version), ...conversion, ...since }));
  return { resources, terminating };
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
    ...deprecationOf(spec, version, kind),
    origin: 'custom',
    ...columnsOf(version),
    ...scaleOf(subresources),
    selectableFields: listAt(version, 'selectableFields')
      .filter(isObject)
      .map(field => stringAt(field, 'jsonPath').replace(/^\./, '')),
  };
}

/** In the version's own words, or what to use in its place. */
function deprecationOf(spec: JsonObject, version: JsonObject, kind: string): { deprecation?: string } {
  if (version.deprecated !== true) return {};
  if (typeof version.deprecationWarning === 'string') return { deprecation: version.deprecationWarning };
  const [group, name] = [stringAt(spec, 'group'), stringAt(version, 'name')];
  const [better] = versionsOf(spec)
    .filter(other => other.served === true && other.deprecated !== true)
    .map(other => stringAt(other, 'name'))
    .filter(other => byVersionPriority(other, name) < 0)
    .sort(byVersionPriority);
  const instead = better === undefined ? '' : `; use ${group}/${better} ${kind}`;
  return { deprecation: `${group}/${name} ${kind} is deprecated${instead}` };
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

/** Whether what the definition serves is not what it was: watches of it end, as on the real server. */
function isServedOtherwise({ type, row, previous }: Change): boolean {
  if (previous === undefined) return false;
  const names = ({ object }: Row): Json | undefined => objectAt(object, 'status').acceptedNames;
  const isSame = sameJson(row.object.spec, previous.object.spec) && sameJson(names(row), names(previous));
  return type === 'deleted' || !isSame;
}

function endWatches({ watches }: Core, storage: string): void {
  for (const watch of watches) if (watch.storage === storage) watch.close('the definition of its kind changed');
}

/** Follows the definitions in `store`: serves them, empties deleted ones, and gives names that become free to who waits. */
export function followDefinitions(core: Core, deleteAll: DeleteAll): () => void {
  const { store, registry } = core;
  const stored = store.range(DEFINITIONS)?.rows ?? [];
  const ages = new SchemaAges(stored);
  // In turns of their own: no definition waits for its names until they are written.
  const others = new InTurn(core.log);
  const apiServices = new ApiServices(core, others);
  const serveAs = ({ name, object }: Row, served: CustomResources | undefined): void => {
    registry.setCustom(name, served);
    const versions = served?.resources.map(({ version }) => version) ?? [];
    apiServices.serves(name, stringAt(objectAt(object, 'spec'), 'group'), versions);
  };
  const serve = (row: Row): void => serveAs(row, servedBy(row.object, ages.of(row.name)));
  for (const row of stored) serve(row);
  const cleanup = new Cleanup(core, deleteAll);
  cleanup.resume();
  const turns = new InTurn(core.log);
  const naming = new Naming(core, turns);
  const unfollow = store.onChange(change => {
    if (change.row.storage === DEFINITIONS) {
      ages.saw(change);
      if (change.type === 'deleted') serveAs(change.row, undefined);
      else serve(change.row);
      naming.saw(change);
      if (isServedOtherwise(change)) endWatches(core, change.row.name);
    } else if (change.row.storage === API_SERVICES) apiServices.changed(change.row.name);
    cleanup.sees(change);
  });
  return () => {
    turns.end();
    others.end();
    cleanup.end();
    unfollow();
  };
}
