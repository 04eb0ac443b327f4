// What a Pod must be, and what each of its parts may change when it is written by itself.

import { parseAddress } from '../../../base/ip.ts';
import { qosClassOf } from '../../objects/pod-quality.ts';
import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid } from '../../schema/field-errors.ts';
import { type Draft, objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { containerErrors } from './container.ts';
import { podSpecErrors } from './pod.ts';
import { podUpdateErrors } from './pod-update.ts';
import { NO_ADDRESS } from './services.ts';
import type { Errors } from './texts.ts';

const MIRROR = 'kubernetes.io/config.mirror';

export function podErrors(pod: JsonObject, old: JsonObject | undefined, part: string): Errors {
  const spec = objectAt(pod, 'spec');
  if (old === undefined)
    return [...createErrors(spec), ...podSpecErrors('spec', spec), ...mirrorErrors(pod, undefined)];
  const before = objectAt(old, 'spec');
  if (part === 'status') return statusErrors(objectAt(pod, 'status'));
  if (part === 'ephemeralcontainers') return ephemeralErrors(spec, before);
  const changes = part === 'resize' ? resizeErrors(spec, before) : podUpdateErrors(spec, before);
  return [...(changes.length > 0 ? changes : podSpecErrors('spec', spec)), ...mirrorErrors(pod, old)];
}

function createErrors(spec: JsonObject): Errors {
  const isGated = objectsAt(spec, 'schedulingGates').length > 0 && textAt(spec, 'nodeName') !== '';
  return [
    ...(objectsAt(spec, 'ephemeralContainers').length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : []),
  ];
}

/** A mirror is a kubelet's own: it is where it says, and stays what it is. */
function mirrorErrors(pod: JsonObject, old: JsonObject | undefined): Errors {
  const path = `metadata.annotations[${MIRROR}]`;
  const of = (each: JsonObject): string => textAt(objectAt(objectAt(each, 'metadata'), 'annotations'), MIRROR);
  if (old !== undefined) {
    const isSame = of(pod) === of(old);
    return isSame ? [] : [forbidden(path, 'may not remove or update mirror pod annotation')];
  }
  const isLost = of(pod) !== '' && textAt(objectAt(pod, 'spec'), 'nodeName') === '';
  return isLost ? [invalid(path, of(pod), 'must set spec.nodeName if mirror pod annotation is set')] : [];
}

function statusErrors(status: JsonObject): Errors {
  return objectsAt(status, 'podIPs').flatMap(({ ip }, index) =>
    typeof ip === 'string' && parseAddress(ip) !== undefined
      ? []
      : [invalid(`status.podIPs[${index}]`, ip ?? '', NO_ADDRESS)],
  );
}

/** What the real server does not let a container that only looks have. */
const NOT_EPHEMERAL = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources'] as const;

function ephemeralErrors(spec: JsonObject, before: JsonObject): Errors {
  const [next, had] = [objectsAt(spec, 'ephemeralContainers'), objectsAt(before, 'ephemeralContainers')];
  const others = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  const taken = new Set(others.map(container => textAt(container, 'name')));
  const wrong = next.flatMap((container, index) =>
    oneEphemeral(`spec.ephemeralContainers[${index}]`, container, taken),
  );
  return wrong.length > 0 ? wrong : had.flatMap(container => keptErrors(container, next));
}

function oneEphemeral(path: string, container: JsonObject, taken: Set<string>): Errors {
  const name = textAt(container, 'name');
  const isTaken = taken.has(name);
  const { ports: _, ...rest } = container;
  const given = NOT_EPHEMERAL.filter(key => key in container && !isEmpty(container[key] ?? null));
  return [
    ...containerErrors(path, rest, { volumes: new Set(), names: new Set() }).filter(
      error => !error.field.includes('volumeMounts'),
    ),
    ...(isTaken ? [duplicate(`${path}.name`, name)] : []),
    ...given.map(key => forbidden(`${path}.${key}`, 'cannot be set for an Ephemeral Container')),
  ];
}

const isEmpty = (value: JsonObject[string]): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

function keptErrors(container: JsonObject, next: readonly JsonObject[]): Errors {
  const name = textAt(container, 'name');
  const now = next.find(each => textAt(each, 'name') === name);
  const said = (what: string): Errors => [
    forbidden('spec.ephemeralContainers', `existing ephemeral containers ${JSON.stringify(name)} may not be ${what}`),
  ];
  if (now === undefined) return said('removed\n');
  return sameJson(now, container) ? [] : said('changed');
}

/** The resources of containers, and of those only what a running container can be given. */
function resizeErrors(spec: JsonObject, before: JsonObject): Errors {
  const bare = ({ resources: _, resizePolicy: __, ...rest }: JsonObject): JsonObject => rest;
  const shape = (each: JsonObject): Draft => ({
    ...each,
    containers: objectsAt(each, 'containers').map(bare),
    initContainers: objectsAt(each, 'initContainers').map(bare),
  });
  if (!sameJson(shape(spec), shape(before))) return [forbidden('spec', 'only cpu and memory resources are mutable')];
  const quality = qosClassOf(before);
  const why = 'Pod QOS Class may not change as a result of resizing';
  return qosClassOf(spec) === quality ? [] : [invalid('spec', quality, why)];
}
