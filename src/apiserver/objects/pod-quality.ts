// A Pod's quality of service class: from what its containers request and are limited to.

import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt } from '../rules/json.ts';

const COMPUTE = ['cpu', 'memory'] as const;

/** Guaranteed when limits are set and requests equal them everywhere; BestEffort when nothing is set; else Burstable. */
export function qosClassOf(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')].filter(isObject);
  const resources = containers.map(container => objectAt(container, 'resources'));
  if (resources.every(isUnset)) return 'BestEffort';
  return resources.every(isFixed) ? 'Guaranteed' : 'Burstable';
}

function isUnset(resources: JsonObject): boolean {
  const [requests, limits] = [objectAt(resources, 'requests'), objectAt(resources, 'limits')];
  return COMPUTE.every(name => requests[name] === undefined && limits[name] === undefined);
}

function isFixed(resources: JsonObject): boolean {
  const [requests, limits] = [objectAt(resources, 'requests'), objectAt(resources, 'limits')];
  return COMPUTE.every(name => limits[name] !== undefined && (requests[name] ?? limits[name]) === limits[name]);
}
