// Pods: how they begin, and how many seconds they get to end.

import { kubeTime } from '../../base/clock.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../rules/json.ts';
import { withAppArmor } from './app-armor.ts';
import { withLabelKeys, withoutFeatures } from './pod-features.ts';
import { qosClassOf } from './pod-quality.ts';
import type { Strategy } from './strategy.ts';

const DEFAULT_GRACE_SECONDS = 30;

export const pods: Strategy = {
  decode: object => withAddresses(withPatience(object)),
  prepareCreate: (object, call) => ({
    ...object,
    spec: newSpec(object, call),
    status: { phase: 'Pending', ...gated(object, call), qosClass: qosClassOf(objectAt(object, 'spec')) },
  }),
  prepareUpdate: object => {
    const spec = objectAt(object, 'spec');
    const bare = withoutFeatures(spec);
    return bare === spec ? object : { ...object, spec: bare };
  },
  graceSeconds: (object, asked) => {
    if (!mayStillRun(object)) return 0;
    const own = objectAt(object, 'spec').terminationGracePeriodSeconds;
    const seconds = asked ?? (typeof own === 'number' ? own : DEFAULT_GRACE_SECONDS);
    return seconds < 0 ? 1 : seconds;
  },
};

function newSpec(object: JsonObject, call: Call): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const spec = withLabelKeys(withoutFeatures(objectAt(object, 'spec')), objectAt(metadata, 'labels'));
  return metadata.annotations === undefined ? spec : withAppArmor(spec, objectAt(metadata, 'annotations'), call);
}

/** Less than no time to end counts as one second. */
function withPatience(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec');
  const { terminationGracePeriodSeconds: seconds } = spec;
  if (typeof seconds !== 'number' || seconds >= 0) return object;
  return { ...object, spec: { ...spec, terminationGracePeriodSeconds: 1 } };
}

/** What older clients read and write stands for the first of the Pod's addresses; where they differ, it counts. */
function withAddresses(object: JsonObject): JsonObject {
  const status = objectAt(object, 'status');
  const both = paired(status, 'podIP', 'podIPs');
  return Object.keys(both).length === 0 ? object : { ...object, status: { ...status, ...both } };
}

function paired(status: JsonObject, one: string, all: string): JsonObject {
  const [first] = listAt(status, all);
  const ip = isObject(first) ? stringAt(first, 'ip') : '';
  const said = stringAt(status, one);
  if (said === '') return ip === '' ? {} : { [one]: ip };
  return said === ip ? {} : { [all]: [{ ip: said }] };
}

/** Somebody else has to open the gates before anybody looks for a Node. */
function gated(object: JsonObject, { core }: Call): JsonObject {
  if (listAt(objectAt(object, 'spec'), 'schedulingGates').length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: kubeTime(core.clock.now()),
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { conditions: [condition] };
}

/** A Pod that is on no Node, or has ended, has nothing to be graceful about. */
function mayStillRun(object: JsonObject): boolean {
  const phase = stringAt(objectAt(object, 'status'), 'phase');
  return stringAt(objectAt(object, 'spec'), 'nodeName') !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}
