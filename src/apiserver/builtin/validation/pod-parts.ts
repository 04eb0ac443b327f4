// What a Pod must be, and what each of its parts may change when it is written by itself.

import { parseAddress } from '../../../base/ip.ts';
import { qosClassOf } from '../../objects/pod-quality.ts';
import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { type Draft, objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { agreementErrors, annotationChangeErrors, annotationErrors, annotationsOf } from './annotations.ts';
import { ephemeralContainersErrors, paddedErrors } from './container.ts';
import { NONE } from './fields.ts';
import { podSpecErrors } from './pod.ts';
import { podUpdateErrors } from './pod-update.ts';
import { podView } from './pod-view.ts';
import { NO_ADDRESS } from './services.ts';
import type { Errors } from './texts.ts';

export function podErrors(pod: JsonObject, old: JsonObject | undefined, part: string): Errors {
  const spec = objectAt(pod, 'spec');
  if (old === undefined) return newPodErrors(pod, spec);
  const before = objectAt(old, 'spec');
  if (part === 'status') return statusErrors(objectAt(pod, 'status'));
  if (part === 'ephemeralcontainers') return ephemeralErrors(spec, before);
  const changes = part === 'resize' ? resizeErrors(spec, before) : podUpdateErrors(spec, before);
  return [
    ...(changes.length > 0 ? changes : wholeErrors(pod, spec)),
    ...annotationChangeErrors(annotationsOf(pod), annotationsOf(old)),
  ];
}

const wholeErrors = (pod: JsonObject, spec: JsonObject): Errors => [
  ...annotationErrors('metadata.annotations', annotationsOf(pod), spec),
  ...podSpecErrors('spec', spec, 'Pod'),
  ...['containers', 'initContainers'].flatMap(key =>
    spec[key] === undefined
      ? NONE
      : objectsAt(spec, key).flatMap((container, index) => paddedErrors(`spec.${key}[${index}]`, container)),
  ),
];

function newPodErrors(pod: JsonObject, spec: JsonObject): Errors {
  return [...wholeErrors(pod, spec), ...createErrors(spec), ...agreementErrors('spec', annotationsOf(pod), spec)];
}

function createErrors(spec: JsonObject): Errors {
  const hasEphemeral = spec.ephemeralContainers !== undefined && objectsAt(spec, 'ephemeralContainers').length > 0;
  const isGated = spec.schedulingGates !== undefined && objectsAt(spec, 'schedulingGates').length > 0;
  const isBound = isGated && textAt(spec, 'nodeName') !== '';
  return [
    ...(hasEphemeral ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : NONE),
    ...(isBound ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : NONE),
  ];
}

function statusErrors(status: JsonObject): Errors {
  return objectsAt(status, 'podIPs').flatMap(({ ip }, index) =>
    typeof ip === 'string' && parseAddress(ip) !== undefined
      ? []
      : [invalid(`status.podIPs[${index}]`, ip ?? '', NO_ADDRESS)],
  );
}

function ephemeralErrors(spec: JsonObject, before: JsonObject): Errors {
  const [next, had] = [objectsAt(spec, 'ephemeralContainers'), objectsAt(before, 'ephemeralContainers')];
  const wrong = ephemeralContainersErrors(podView('spec', spec, 'Pod'));
  return wrong.length > 0 ? wrong : had.flatMap(container => keptErrors(container, next));
}

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
