// What the real server makes of a new Pod's spec: fields of features that are off go, keys of labels become selectors.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, without } from '../rules/json.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];
/** Sources that a projected volume cannot have yet. */
const PROJECTIONS = ['clusterTrustBundle', 'podCertificate'];

/** The same spec when nothing in it is of a feature that is off. */
export function withoutFeatures(spec: JsonObject): JsonObject {
  const ungrouped = spec.schedulingGroup === undefined ? spec : without(spec, 'schedulingGroup');
  const unsignalled = CONTAINERS.reduce((now, key) => changedList(now, key, withoutSignal), ungrouped);
  return changedList(unsignalled, 'volumes', withoutProjections);
}

/** `of` is not copied unless one of the list's items changes. */
function changedList(of: JsonObject, key: string, change: (item: JsonObject) => JsonObject): JsonObject {
  if (of[key] === undefined) return of;
  let isChanged = false;
  const items = listAt(of, key).map(item => {
    const changed = isObject(item) ? change(item) : item;
    isChanged ||= changed !== item;
    return changed;
  });
  return isChanged ? { ...of, [key]: items } : of;
}

function withoutSignal(container: JsonObject): JsonObject {
  if (container.lifecycle === undefined) return container;
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle.stopSignal === undefined) return container;
  const rest = without(lifecycle, 'stopSignal');
  return Object.keys(rest).length === 0 ? without(container, 'lifecycle') : { ...container, lifecycle: rest };
}

function withoutProjections(volume: JsonObject): JsonObject {
  if (volume.projected === undefined) return volume;
  const projected = objectAt(volume, 'projected');
  const bare = changedList(projected, 'sources', source =>
    PROJECTIONS.some(key => source[key] !== undefined) ? without(source, ...PROJECTIONS) : source,
  );
  return bare === projected ? volume : { ...volume, projected: bare };
}

/** The same for the Pods that an object will make: `path` leads to their template. */
export function withoutTemplateFeatures(object: JsonObject, path: readonly string[]): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) {
    const spec = objectAt(object, 'spec');
    const bare = withoutFeatures(spec);
    return bare === spec ? object : { ...object, spec: bare };
  }
  if (object[key] === undefined) return object;
  const inner = objectAt(object, key);
  const bare = withoutTemplateFeatures(inner, rest);
  return bare === inner ? object : { ...object, [key]: bare };
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Keys whose values the Pod shares with others, or does not, are added to what selects those. */
export function withLabelKeys(spec: JsonObject, labels: JsonObject): JsonObject {
  const { affinity, topologySpreadConstraints } = spec;
  if (affinity === undefined && topologySpreadConstraints === undefined) return spec;
  const selecting = (term: JsonObject): JsonObject => withKeys(term, labels);
  const spread = changedList(spec, 'topologySpreadConstraints', selecting);
  return isObject(affinity) ? { ...spread, affinity: nearWith(affinity, selecting) } : spread;
}

function nearWith(affinity: JsonObject, selecting: (term: JsonObject) => JsonObject): JsonObject {
  const near = (terms: JsonObject): JsonObject =>
    changedList(changedList(terms, PREFERRED, weighted), REQUIRED, selecting);
  const weighted = (term: JsonObject): JsonObject => ({
    ...term,
    podAffinityTerm: selecting(objectAt(term, 'podAffinityTerm')),
  });
  const kinds = ['podAffinity', 'podAntiAffinity'].filter(kind => affinity[kind] !== undefined);
  return { ...affinity, ...Object.fromEntries(kinds.map(kind => [kind, near(objectAt(affinity, kind))])) };
}

function withKeys(term: JsonObject, labels: JsonObject): JsonObject {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = term;
  if ((matchLabelKeys === undefined && mismatchLabelKeys === undefined) || !isObject(labelSelector)) return term;
  const added = [
    ...expressions(listAt(term, 'matchLabelKeys'), 'In', labels),
    ...expressions(listAt(term, 'mismatchLabelKeys'), 'NotIn', labels),
  ];
  if (added.length === 0) return term;
  const matchExpressions = [...listAt(labelSelector, 'matchExpressions'), ...added];
  return { ...term, labelSelector: { ...labelSelector, matchExpressions } };
}

const expressions = (keys: readonly Json[], operator: string, labels: JsonObject): readonly JsonObject[] =>
  keys
    .map(String)
    .filter(key => Object.hasOwn(labels, key))
    .map(key => ({ key, operator, values: [labels[key] ?? ''] }));
