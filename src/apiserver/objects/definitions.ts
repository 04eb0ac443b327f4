// Custom resource definitions: their names are accepted or refused as they are written, and their deletion waits.

import { kubeTime } from '../../base/clock.ts';
import type { Call } from '../core.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt, withMeta } from '../rules/json.ts';
import { immutableError, invalidValue } from '../rules/metadata.ts';
import { condition, merged } from './definition-names.ts';
import type { Strategy } from './strategy.ts';

/** Where definitions are kept. */
export const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Kept on a deleted definition until its last object is gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export const definitions: Strategy = {
  decode: withDefaults,
  prepareCreate: object => ({ ...object, status: { ...NOT_NAMED, storedVersions: storedVersions(object, []) } }),
  prepareUpdate: (object, old) => {
    const status = objectAt(old, 'status');
    return {
      ...object,
      status: { ...status, storedVersions: storedVersions(object, stringsAt(status, 'storedVersions')) },
    };
  },
  validate: (object, old) => [...shapeErrors(object), ...(old === undefined ? [] : immutableErrors(object, old))],
  markDeleting: (object, old, call) => {
    const finalizers = stringsAt(objectAt(object, 'metadata'), 'finalizers');
    const held = finalizers.includes(CLEANUP_FINALIZER) ? finalizers : [...finalizers, CLEANUP_FINALIZER];
    const { generation } = objectAt(old, 'metadata');
    const marked = withMeta(object, { finalizers: held, deletionGracePeriodSeconds: undefined, generation });
    return { ...marked, status: terminatingStatus(objectAt(object, 'status'), call) };
  },
};

function withDefaults(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec');
  const names = objectAt(spec, 'names');
  const kind = stringAt(names, 'kind');
  const filled = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names };
  return { ...object, spec: { conversion: { strategy: 'None' }, ...spec, names: filled } };
}

/** Names are accepted a moment later, by the server itself (definition-naming.ts). */
const NOT_NAMED: JsonObject = { conditions: null, acceptedNames: { plural: '', kind: '' } };

/** The versions in which objects may be stored: those from before, and the one of now. */
function storedVersions(object: JsonObject, before: readonly string[]): readonly string[] {
  const stored = versionsOf(objectAt(object, 'spec')).filter(version => version.storage === true);
  return [...new Set([...before, ...stored.map(version => stringAt(version, 'name'))])];
}

function terminatingStatus(status: JsonObject, call: Call): JsonObject {
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const wanted = [condition('Terminating', 'True', 'InstanceDeletionPending', message)];
  return { ...status, conditions: merged(listAt(status, 'conditions'), wanted, kubeTime(call.core.clock.now())) };
}

export const versionsOf = (spec: JsonObject): readonly JsonObject[] => listAt(spec, 'versions').filter(isObject);

function shapeErrors(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  const names = objectAt(spec, 'names');
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  const expected = `${stringAt(names, 'plural')}.${stringAt(spec, 'group')}`;
  const ownName =
    name === expected ? [] : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
  return [
    ...ownName,
    ...required('spec.group', stringAt(spec, 'group')),
    ...required('spec.scope', stringAt(spec, 'scope')),
    ...versionErrors(spec),
    ...required('spec.names.plural', stringAt(names, 'plural')),
    ...required('spec.names.singular', stringAt(names, 'singular')),
    ...required('spec.names.kind', stringAt(names, 'kind')),
    ...required('spec.names.listKind', stringAt(names, 'listKind')),
    ...storedErrors(object),
  ];
}

function required(field: string, value: string): readonly FieldError[] {
  return value === '' ? [{ type: 'Required', field, message: 'Required value' }] : [];
}

function storedErrors(object: JsonObject): readonly FieldError[] {
  if (stringsAt(objectAt(object, 'status'), 'storedVersions').length > 0) return [];
  const message = 'Invalid value: null: must have at least one stored version';
  return [{ type: 'Invalid', field: 'status.storedVersions', message }];
}

function versionErrors(spec: JsonObject): readonly FieldError[] {
  const versions = versionsOf(spec);
  const errors = versions.flatMap((version, index): FieldError[] =>
    isObject(objectAt(version, 'schema').openAPIV3Schema)
      ? []
      : [
          {
            type: 'Required',
            field: `spec.versions[${index}].schema.openAPIV3Schema`,
            message: 'Required value',
          },
        ],
  );
  const stored = versions.filter(version => version.storage === true);
  if (stored.length === 1) return errors;
  const why = 'must have exactly one version marked as storage version';
  return [
    ...errors,
    {
      type: 'Invalid',
      field: 'spec.versions',
      message: `Invalid value: ${JSON.stringify(versions.map(v => v.name ?? ''))}: ${why}`,
    },
  ];
}

function immutableErrors(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')];
  return ['group', 'scope']
    .filter(field => !sameJson(spec[field], before[field]))
    .map(field => immutableError(`spec.${field}`, spec[field]));
}
