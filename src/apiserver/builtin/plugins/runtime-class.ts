// RuntimeClass: a Pod of a class is given what the class costs, and goes where the class runs.

import type { Admission, Json, JsonObject } from '../../parts.ts';
import { listAt, objectAt, sameJson, textAt } from '../json.ts';
import { resourceErrors } from '../validation/resources.ts';
import { kept, onNewPods, type PluginWorld, refused, withSpec } from './new-pod.ts';

export function runtimeClasses({ stored }: PluginWorld): Admission {
  return onNewPods((pod, call) => {
    const spec = objectAt(pod, 'spec');
    const name = textAt(spec, 'runtimeClassName');
    if (name === '') return isCostly(spec) ? refused(call, CLASSLESS) : kept(pod);
    const found = stored.get('runtimeclasses.node.k8s.io', '', name);
    if (found === undefined) return refused(call, `pod rejected: RuntimeClass "${name}" not found`);
    const overhead = objectAt(objectAt(found, 'overhead'), 'podFixed');
    if (spec.overhead !== undefined && !sameJson(spec.overhead, overhead)) {
      return refused(call, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    const scheduling = objectAt(found, 'scheduling');
    const conflict = conflictIn(objectAt(scheduling, 'nodeSelector'), objectAt(spec, 'nodeSelector'));
    if (conflict !== undefined) return refused(call, conflict);
    return kept(withSpec(pod, { ...costs(overhead), ...placed(spec, scheduling) }));
  });
}

const CLASSLESS = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

/** What is wrong with the overhead in itself is told first. */
const isCostly = ({ overhead }: JsonObject): boolean =>
  overhead !== undefined && resourceErrors('spec.overhead', { limits: overhead }).length === 0;

const costs = (overhead: JsonObject): JsonObject => (Object.keys(overhead).length === 0 ? {} : { overhead });

function conflictIn(classes: JsonObject, pods: JsonObject): string | undefined {
  const key = Object.keys(classes).find(each => pods[each] !== undefined && pods[each] !== classes[each]);
  if (key === undefined) return undefined;
  return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(classes[key])}; pod.spec.nodeSelector[${key}] = ${String(pods[key])}`;
}

function placed(spec: JsonObject, scheduling: JsonObject): JsonObject {
  const nodeSelector = { ...objectAt(spec, 'nodeSelector'), ...objectAt(scheduling, 'nodeSelector') };
  const has = listAt(spec, 'tolerations');
  const added = listAt(scheduling, 'tolerations').filter((each: Json) => !has.some(own => sameJson(own, each)));
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(added.length === 0 ? {} : { tolerations: [...has, ...added] }),
  };
}
