// What an update may change of a Pod's spec: images, a shorter deadline, more tolerations, little else.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { type Draft, isObject, numberAt, objectsAt, sameJson, textAt } from '../json.ts';
import { paddedErrors } from './container.ts';
import { NONE } from './fields.ts';
import { directionErrors } from './pod-direction.ts';
import type { Errors } from './texts.ts';
import { tolerationErrors as newTolerationErrors } from './tolerations.ts';

const MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function podUpdateErrors(spec: JsonObject, old: JsonObject): Errors {
  if (sameJson(spec, old)) return NONE;
  for (const key of KINDS) {
    if (objectsAt(spec, key).length === objectsAt(old, key).length) continue;
    return [...imagesErrors(spec, key), forbidden(`spec.${key}`, 'pod updates may not add or remove containers')];
  }
  const isGated = objectsAt(old, 'schedulingGates').length > 0;
  const shape = (each: JsonObject): JsonObject =>
    isGated ? undirected(withoutChangeable(each)) : withoutChangeable(each);
  return [
    ...KINDS.flatMap(key => imagesErrors(spec, key)),
    ...deadlineErrors(spec, old),
    ...tolerationErrors(spec, old),
    ...gateErrors(spec, old),
    ...(isGated ? directionErrors(spec, old) : NONE),
    ...(sameJson(shape(spec), shape(old)) ? NONE : [forbidden('spec', MAY_CHANGE)]),
  ];
}

const KINDS = ['containers', 'initContainers'] as const;

/** Told a second time: what changes is looked at by itself too. */
const imagesErrors = (spec: JsonObject, key: string): Errors =>
  objectsAt(spec, key).flatMap((container, index) => {
    const path = `spec.${key}[${index}]`;
    return textAt(container, 'image') === '' ? [required(`${path}.image`)] : paddedErrors(path, container);
  });

/** What gates hold back may be directed elsewhere meanwhile, though never to where it could not go before. */
function undirected({ nodeSelector: _, affinity, ...rest }: JsonObject): JsonObject {
  const { nodeAffinity: __, ...near } = isObject(affinity) ? affinity : {};
  return Object.keys(near).length === 0 ? rest : { ...rest, affinity: near };
}

function gateErrors(spec: JsonObject, old: JsonObject): Errors {
  const had = new Set(objectsAt(old, 'schedulingGates').map(gate => gate.name));
  return objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${String(gate.name)}'`;
    return had.has(gate.name) ? [] : [forbidden(`spec.schedulingGates[${index}].name`, why)];
  });
}

function deadlineErrors(spec: JsonObject, old: JsonObject): Errors {
  const path = 'spec.activeDeadlineSeconds';
  const [next, before] = [numberAt(spec, 'activeDeadlineSeconds'), numberAt(old, 'activeDeadlineSeconds')];
  if (before === undefined) return [];
  if (next === undefined) return [invalid(path, next ?? null, 'must not update from a positive integer to nil value')];
  return next > before ? [invalid(path, next, 'must be less than or equal to previous value')] : [];
}

/** Tolerations are only added; of those that were there the patience may change. */
function tolerationErrors(spec: JsonObject, old: JsonObject): Errors {
  const next = objectsAt(spec, 'tolerations').map(withoutPatience);
  const isKept = objectsAt(old, 'tolerations').every(before =>
    next.some(toleration => sameJson(toleration, withoutPatience(before))),
  );
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  if (!isKept) return [forbidden('spec.tolerations', why)];
  return sameJson(spec.tolerations, old.tolerations)
    ? NONE
    : newTolerationErrors('spec.tolerations', objectsAt(spec, 'tolerations'));
}

function withoutPatience({ tolerationSeconds: _, ...toleration }: JsonObject): JsonObject {
  return toleration;
}

function withoutChangeable(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, ...rest } = spec;
  const draft: Draft = { ...rest };
  for (const key of KINDS) {
    draft[key] = objectsAt(spec, key).map(({ image: _image, ...container }) => container);
  }
  return (numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) <= 1
    ? { ...draft, terminationGracePeriodSeconds: null }
    : draft;
}
