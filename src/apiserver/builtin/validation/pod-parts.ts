// What a Pod must be, and what each of its parts may change when it is written by itself.

import type { JsonObject } from '../../parts.ts';
import { forbidden } from '../../schema/field-errors.ts';
import { objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { agreementErrors, annotationChangeErrors, annotationErrors, annotationsOf } from './annotations.ts';
import { paddedErrors } from './container.ts';
import { NONE } from './fields.ts';
import { podSpecErrors } from './pod.ts';
import { resizeErrors } from './pod-resize.ts';
import { podStatusErrors } from './pod-status.ts';
import { podUpdateErrors } from './pod-update.ts';
import type { Errors } from './texts.ts';

export function podErrors(pod: JsonObject, old: JsonObject | undefined, part: string): Errors {
  const spec = objectAt(pod, 'spec');
  if (old === undefined) return newPodErrors(pod, spec);
  const before = objectAt(old, 'spec');
  if (part === 'status') return [...annotationMoves(pod, old), ...podStatusErrors(pod, old)];
  const whole = wholeErrors(pod, spec);
  if (part === 'resize') return [...whole, ...resizeErrors(spec, before)];
  return [
    ...whole,
    ...annotationUpdateErrors(pod, old),
    ...(part === 'ephemeralcontainers' ? ephemeralErrors(spec, before) : podUpdateErrors(spec, before)),
  ];
}

/** What changes is looked at by itself too: what is wrong in it is told a second time. */
function annotationUpdateErrors(pod: JsonObject, old: JsonObject): Errors {
  const annotations = annotationsOf(pod);
  if (sameJson(annotations, annotationsOf(old))) return NONE;
  return [
    ...annotationMoves(pod, old),
    ...annotationErrors('metadata.annotations', annotations, objectAt(pod, 'spec')),
  ];
}

const annotationMoves = (pod: JsonObject, old: JsonObject): Errors =>
  annotationChangeErrors(annotationsOf(pod), annotationsOf(old));

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

function ephemeralErrors(spec: JsonObject, before: JsonObject): Errors {
  const [next, had] = [objectsAt(spec, 'ephemeralContainers'), objectsAt(before, 'ephemeralContainers')];
  return had.flatMap(container => keptErrors(container, next));
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
