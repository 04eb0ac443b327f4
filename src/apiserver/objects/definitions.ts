// Custom resource definitions: their names are accepted or refused as they are written, and their deletion waits.

import { kubeTime } from '../../base/clock.ts';
import type { Call } from '../core.ts';
import type { FieldError, Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt, withMeta } from '../rules/json.ts';
import { immutableError, invalidValue } from '../rules/metadata.ts';
import type { Strategy } from './strategy.ts';

/** Kept on a deleted definition until its last object is gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export const definitions: Strategy = {
  decode: withDefaults,
  prepareCreate: (object, call) => ({ ...object, status: establishedStatus(object, undefined, call) }),
  prepareUpdate: (object, old, call) => ({
    ...object,
    status: establishedStatus(object, objectAt(old, 'status'), call),
  }),
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

/** Accepted names, conditions and stored versions, as the real server's controllers would come to write them. */
function establishedStatus(object: JsonObject, before: JsonObject | undefined, call: Call): JsonObject {
  const spec = objectAt(object, 'spec');
  const problem = nameConflict(object, call);
  const time = kubeTime(call.core.clock.now());
  const accepted = problem === undefined;
  const wanted = accepted ? ACCEPTED : refusedFor(problem);
  const stored = versionsOf(spec)
    .filter(version => version.storage === true)
    .map(version => stringAt(version, 'name'));
  return {
    ...before,
    conditions: merged(listAt(before, 'conditions'), wanted, time),
    acceptedNames: accepted ? objectAt(spec, 'names') : objectAt(before, 'acceptedNames'),
    storedVersions: [...new Set([...stringsAt(before, 'storedVersions'), ...stored])],
  };
}

const ACCEPTED: readonly JsonObject[] = [
  condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found'),
  condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted'),
];

const refusedFor = (problem: string): readonly JsonObject[] => [
  condition('NamesAccepted', 'False', 'KindConflict', problem),
  condition('Established', 'False', 'NotAccepted', 'not all names are accepted'),
];

function terminatingStatus(status: JsonObject, call: Call): JsonObject {
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const wanted = [condition('Terminating', 'True', 'InstanceDeletionPending', message)];
  return { ...status, conditions: merged(listAt(status, 'conditions'), wanted, kubeTime(call.core.clock.now())) };
}

function condition(type: string, status: 'True' | 'False', reason: string, message: string): JsonObject {
  return { type, status, reason, message };
}

/** The wanted conditions; one that says the same as before keeps its time. */
function merged(before: readonly Json[], wanted: readonly JsonObject[], time: string): readonly Json[] {
  const others = before.filter(old => !wanted.some(now => isObject(old) && old.type === now.type));
  const next = wanted.map(now => {
    const old = before.find(candidate => isObject(candidate) && candidate.type === now.type);
    const kept = isObject(old) && old.status === now.status ? stringAt(old, 'lastTransitionTime') : time;
    const { type, status, reason, message } = now;
    return { lastTransitionTime: kept, message, reason, status, type } as JsonObject;
  });
  return [...others, ...next];
}

/** Why these names cannot be served: another definition or a built-in kind of the group has them. */
function nameConflict(object: JsonObject, call: Call): string | undefined {
  const spec = objectAt(object, 'spec');
  const own = stringAt(objectAt(object, 'metadata'), 'name');
  const names = objectAt(spec, 'names');
  const group = stringAt(spec, 'group');
  const others = call.core.registry.all().filter(other => other.group === group && other.storageName !== own);
  const taken = others.find(other => other.kind === names.kind || other.plural === names.plural);
  if (taken === undefined) return undefined;
  const what = taken.kind === names.kind ? taken.kind : taken.plural;
  return `${JSON.stringify(what)} is already in use`;
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
