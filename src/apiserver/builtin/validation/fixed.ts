// What an update may not change of kinds whose meaning would change with it.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { objectAt, sameJson, textAt } from '../json.ts';
import { balancerChangeErrors } from './service-policies.ts';
import type { Errors } from './texts.ts';

const IMMUTABLE = 'field is immutable';

type Changes = (object: JsonObject, old: JsonObject) => Errors;

/** `field is immutable` for each of these that differs; `path` is their holder's, with its dot. */
function fixed(path: string, object: JsonObject, old: JsonObject, ...keys: readonly string[]): Errors {
  const changed = keys.filter(key => !sameJson(object[key] ?? null, old[key] ?? null));
  return changed.map(key => invalid(`${path}${key}`, object[key] ?? null, IMMUTABLE));
}

const STATEFUL_SET_MAY_CHANGE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function statefulSetChanges(object: JsonObject, old: JsonObject): Errors {
  const rest = (set: JsonObject): Json =>
    Object.fromEntries(Object.entries(objectAt(set, 'spec')).filter(([key]) => !STATEFUL_SET_MAY_CHANGE.includes(key)));
  if (sameJson(rest(object), rest(old))) return [];
  const named = STATEFUL_SET_MAY_CHANGE.map(key => `'${key}'`);
  const list = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

function jobChanges(object: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')];
  // The Pods of a suspended Job may still be described anew.
  const template = before.suspend === true ? [] : ['template'];
  const isElastic = spec.completionMode === 'Indexed' && sameJson(spec.completions, spec.parallelism);
  const completions = isElastic ? [] : ['completions'];
  return fixed('spec.', spec, before, ...completions, 'selector', ...template, 'completionMode', 'podFailurePolicy');
}

function claimChanges(object: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')];
  const isBound = textAt(objectAt(old, 'status'), 'phase') === 'Bound';
  // The class that it is given later is none that it had.
  const isUnclassed = !isBound && (before.storageClassName ?? null) === null;
  const rest = ({ resources, volumeName, volumeAttributesClassName, ...all }: JsonObject): Json => {
    const { storageClassName = null, ...others } = all;
    const kept = isUnclassed ? others : { ...others, storageClassName };
    const limits = objectAt({ resources: resources ?? null }, 'resources').limits ?? null;
    return isBound ? { ...kept, limits, volumeName: volumeName ?? null } : { ...kept, resources: resources ?? null };
  };
  if (sameJson(rest(spec), rest(before))) return [];
  const why =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [forbidden('spec', why)];
}

function priorityChanges(object: JsonObject, old: JsonObject): Errors {
  const isMoved = (object.value ?? 0) !== (old.value ?? 0);
  const value = isMoved ? [forbidden('value', 'may not be changed in an update.')] : [];
  return [...value, ...fixed('', object, old, 'preemptionPolicy')];
}

function serviceChanges(object: JsonObject, old: JsonObject): Errors {
  const balancer = balancerChangeErrors(object, old);
  const [next, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')].map(spec => textAt(spec, 'clusterIP'));
  const isOut = [object, old].some(
    ({ spec }) => textAt(objectAt({ spec: spec ?? null }, 'spec'), 'type') === 'ExternalName',
  );
  if (isOut || next === before || next === '' || before === '') return balancer;
  return [...balancer, invalid('spec.clusterIPs[0]', [next ?? ''], 'may not change once set')];
}

const CHANGES: Readonly<Record<string, Changes>> = {
  'statefulsets.apps': statefulSetChanges,
  'jobs.batch': jobChanges,
  'storageclasses.storage.k8s.io': (object, old) =>
    fixed('', object, old, 'parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
  'priorityclasses.scheduling.k8s.io': priorityChanges,
  'runtimeclasses.node.k8s.io': (object, old) => fixed('', object, old, 'handler'),
  persistentvolumeclaims: claimChanges,
  services: serviceChanges,
};

/** What of a stored object this update may not change. */
export const changeErrors = (storageName: string, object: JsonObject, old: JsonObject): Errors =>
  CHANGES[storageName]?.(object, old) ?? [];
