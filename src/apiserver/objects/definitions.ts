// Custom resource definitions: their names are accepted or refused as they are written, and their deletion waits.

import { kubeTime } from '../../base/clock.ts';
import type { Call } from '../core.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt, withMeta } from '../rules/json.ts';
import { invalidValue } from '../rules/metadata.ts';
import { conversionErrors } from './definition-conversion.ts';
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
  validate: (object, old) => [
    ...(old === undefined ? ownNameErrors(object) : []),
    ...conversionErrors(objectAt(objectAt(object, 'spec'), 'conversion')),
  ],
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
  const whole: JsonObject = { ...object, spec: { conversion: { strategy: 'None' }, ...spec, names: filled } };
  const { status } = whole;
  if (!isObject(status) || listAt(status, 'storedVersions').length > 0) return whole;
  return { ...whole, status: { ...status, storedVersions: storedVersions(whole, []) } };
}

/** Names are accepted a moment later, by the server itself (definition-naming.ts). */
const NOT_NAMED: JsonObject = { conditions: null, acceptedNames: { plural: '', kind: '' } };

/** The versions in which objects may be stored: those from before, and the one of now. */
function storedVersions(object: JsonObject, before: readonly string[]): readonly string[] {
  const stored = versionsOf(objectAt(object, 'spec')).find(version => version.storage === true);
  return stored === undefined ? before : [...new Set([...before, stringAt(stored, 'name')])];
}

function terminatingStatus(status: JsonObject, call: Call): JsonObject {
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const wanted = [condition('Terminating', 'True', 'InstanceDeletionPending', message)];
  return { ...status, conditions: merged(listAt(status, 'conditions'), wanted, kubeTime(call.core.clock.now())) };
}

export const versionsOf = (spec: JsonObject): readonly JsonObject[] => listAt(spec, 'versions').filter(isObject);

/** What else is wrong with a definition is said where schemas are read. */
function ownNameErrors(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  const expected = `${stringAt(objectAt(spec, 'names'), 'plural')}.${stringAt(spec, 'group')}`;
  return name === expected ? [] : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}
