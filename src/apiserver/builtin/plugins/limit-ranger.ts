// LimitRanger: what containers ask for when they do not say, and how much they, their Pods and claims may.

import type { Admission, Json, JsonObject, Stored } from '../../parts.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { bounded, boundedClaim, totalOf } from './limit-bounds.ts';
import { type Answer, type Call, kept, type PluginWorld, refused, withSpec } from './new-pod.ts';

const OF_CLAIMS = 'PersistentVolumeClaim';

export function limitRanger({ stored }: PluginWorld): Admission {
  return call => {
    const { object } = call;
    const what = object === undefined ? undefined : concerned(call);
    if (object === undefined || what === undefined) return kept(object);
    const limits = limitsIn(stored, call.attributes.namespace);
    if (limits.length === 0) return kept(object);
    const filled = what === 'new Pod' ? withDefaults(object, limits) : object;
    const problems = what === 'claim' ? claimProblems : podProblems;
    return judged(
      call,
      filled,
      limits.flatMap(limit => problems(filled, limit)),
    );
  };
}

function judged(call: Call, object: JsonObject, wrong: readonly string[]): Answer {
  if (wrong.length === 0) return kept(object);
  return refused(call, wrong.length === 1 ? (wrong[0] ?? '') : `[${wrong.join(', ')}]`);
}

/** What containers ask for is fixed once they are there, but for a resize. */
function concerned({ resource, attributes, old }: Call): 'new Pod' | 'resized Pod' | 'claim' | undefined {
  const { subresource } = attributes;
  if (resource.storageName === 'pods') {
    if (subresource === 'resize') return 'resized Pod';
    return subresource === '' && old === undefined ? 'new Pod' : undefined;
  }
  if (resource.storageName !== 'persistentvolumeclaims' || subresource !== '') return undefined;
  // What a claim asks for before it is bound does not change at all, which its validation says.
  const mayChange = old === undefined || textAt(objectAt(old, 'status'), 'phase') === 'Bound';
  return mayChange ? 'claim' : undefined;
}

const limitsIn = (stored: Stored, namespace: string): readonly JsonObject[] =>
  stored.list('limitranges', namespace).flatMap(range => objectsAt(objectAt(range, 'spec'), 'limits'));

function podProblems(pod: JsonObject, limit: JsonObject): readonly string[] {
  const spec = objectAt(pod, 'spec');
  const type = textAt(limit, 'type');
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  if (type === 'Container') return containers.flatMap(each => bounded(type, limit, objectAt(each, 'resources')));
  return type === 'Pod' ? bounded(type, limit, totalOf(spec)) : [];
}

function claimProblems(claim: JsonObject, limit: JsonObject): readonly string[] {
  if (limit.type !== OF_CLAIMS) return [];
  return boundedClaim(OF_CLAIMS, limit, objectAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests'));
}

/** Says on the Pod what was filled in. */
function withDefaults(pod: JsonObject, limits: readonly JsonObject[]): JsonObject {
  const ranges = limits.filter(({ type }) => type === 'Container');
  const said: string[] = [];
  const fill = (list: string, what: string): JsonObject => {
    const containers = listAt(objectAt(pod, 'spec'), list);
    return containers.length === 0 ? {} : { [list]: containers.map(each => filled(each, ranges, what, said)) };
  };
  const changes = { ...fill('containers', 'container'), ...fill('initContainers', 'init container') };
  if (said.length === 0) return pod;
  const metadata = objectAt(pod, 'metadata');
  const annotation = { 'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${said.join('; ')}` };
  const annotations = { ...objectAt(metadata, 'annotations'), ...annotation };
  return withSpec({ ...pod, metadata: { ...metadata, annotations } }, changes);
}

function filled(container: Json, ranges: readonly JsonObject[], what: string, said: string[]): Json {
  if (!isObject(container)) return container;
  const resources = objectAt(container, 'resources');
  const all = (key: string): JsonObject => Object.assign({}, ...ranges.map(range => objectAt(range, key)));
  const [requests, limits] = [objectAt(resources, 'requests'), objectAt(resources, 'limits')];
  const [newRequests, newLimits] = [missing(all('defaultRequest'), requests), missing(all('default'), limits)];
  for (const [names, kind] of [
    [Object.keys(newRequests), 'request'],
    [Object.keys(newLimits), 'limit'],
  ] as const) {
    if (names.length > 0) said.push(`${names.sort().join(', ')} ${kind} for ${what} ${textAt(container, 'name')}`);
  }
  const next = { limits: { ...limits, ...newLimits }, requests: { ...requests, ...newRequests } };
  const kept = Object.entries(next).filter(([, values]) => Object.keys(values).length > 0);
  return { ...container, resources: { ...resources, ...Object.fromEntries(kept) } };
}

const missing = (defaults: JsonObject, has: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(defaults).filter(([name, value]) => !(name in has) && nanoOf(String(value)) !== undefined),
  );
