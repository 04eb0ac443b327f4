// What a Pod can be resized to: more or less CPU and memory for its containers, nothing else.

import { qosClassOf } from '../../objects/pod-quality.ts';
import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { type Draft, objectAt, objectsAt, sameJson } from '../json.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

const ONLY = 'only cpu and memory resources are mutable';

export function resizeErrors(spec: JsonObject, old: JsonObject): Errors {
  const quality = qosClassOf(old);
  const why = 'Pod QOS Class may not change as a result of resizing';
  const kept = qosClassOf(spec) === quality ? NONE : [invalid('spec', quality, why)];
  const moved = [...orderErrors(spec, old, 'containers'), ...orderErrors(spec, old, 'initContainers')];
  if (moved.length > 0) return [...kept, ...moved];
  const errors = [...kept, ...removedErrors(spec, old, 'initContainers'), ...removedErrors(spec, old, 'containers')];
  const others = objectsAt(spec, 'containers').filter((container, index) => !isOnlySized(container, old, index));
  const all = [...errors, ...others.map(() => forbidden('spec', ONLY))];
  if (all.length > 0) return all;
  return sameJson(withoutSizes(spec), withoutSizes(old)) ? NONE : [forbidden('spec', ONLY)];
}

function orderErrors(spec: JsonObject, old: JsonObject, key: string): Errors {
  const [next, before] = [objectsAt(spec, key), objectsAt(old, key)];
  if (next.length !== before.length) return [forbidden(`spec.${key}`, `${key} may not be added or removed on resize`)];
  return before.flatMap(({ name }, index) =>
    next[index]?.name === name
      ? NONE
      : [forbidden(`spec.${key}[${index}].name`, `${key} may not be renamed or reordered on resize`)],
  );
}

function removedErrors(spec: JsonObject, old: JsonObject, key: string): Errors {
  const next = objectsAt(spec, key);
  return objectsAt(old, key).flatMap((container, index) => {
    const [had, has] = [objectAt(container, 'resources'), objectAt(next[index] ?? {}, 'resources')];
    return ['requests', 'limits'].flatMap(kind => {
      const left = objectAt(has, kind);
      const isRemoved = Object.keys(objectAt(had, kind)).some(name => left[name] === undefined);
      const path = `spec.${key}[${index}].resources.${kind}`;
      return isRemoved ? [forbidden(path, `resource ${kind} cannot be removed`)] : NONE;
    });
  });
}

function isOnlySized(container: JsonObject, old: JsonObject, index: number): boolean {
  const before = objectsAt(old, 'containers')[index];
  return before !== undefined && sameJson(withoutSize(container), withoutSize(before));
}

function withoutSizes(spec: JsonObject): Draft {
  const draft: Draft = { ...spec };
  for (const key of ['containers', 'initContainers']) draft[key] = objectsAt(spec, key).map(withoutSize);
  return draft;
}

function withoutSize(container: JsonObject): JsonObject {
  const { requests: _, limits: __, ...rest } = objectAt(container, 'resources');
  const left = (kind: string): JsonObject => {
    const { cpu: _cpu, memory: _memory, ...others } = objectAt(objectAt(container, 'resources'), kind);
    return others;
  };
  return { ...container, resources: { ...rest, requests: left('requests'), limits: left('limits') } };
}
