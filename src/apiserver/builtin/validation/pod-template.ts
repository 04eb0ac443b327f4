// What the Pod in a template must be: what every Pod must be, and that it can be made again and again.

import type { JsonObject } from '../../parts.ts';
import { labelKeyProblems } from '../../request/label-rules.ts';
import { forbidden, invalid, tooLong } from '../../schema/field-errors.ts';
import { objectAt, objectsAt } from '../json.ts';
import { agreementErrors, annotationErrors, annotationsOf } from './annotations.ts';
import { NONE } from './fields.ts';
import { podSpecErrors } from './pod.ts';
import { type Errors, labelMapErrors } from './texts.ts';

const MAX_BYTES = 256 * 1024;

export function podTemplateErrors(path: string, template: JsonObject): Errors {
  const [spec, annotations, at] = [objectAt(template, 'spec'), annotationsOf(template), `${path}.spec`];
  const hasEphemeral = objectsAt(spec, 'ephemeralContainers').length > 0;
  const never = 'ephemeral containers not allowed in pod template';
  return [
    ...templateMetaErrors(path, template),
    ...podSpecErrors(at, spec),
    ...agreementErrors(at, annotations, spec),
    ...(hasEphemeral ? [forbidden(`${at}.ephemeralContainers`, never)] : NONE),
  ];
}

/** What is written on the Pods. */
export function templateMetaErrors(path: string, template: JsonObject): Errors {
  const annotations = annotationsOf(template);
  return [
    ...labelMapErrors(`${path}.labels`, objectAt(objectAt(template, 'metadata'), 'labels')),
    ...keyErrors(`${path}.annotations`, annotations),
    ...annotationErrors(`${path}.annotations`, annotations, objectAt(template, 'spec')),
  ];
}

function keyErrors(path: string, annotations: JsonObject): Errors {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + String(value)), 0);
  return [
    ...entries.flatMap(([key]) => labelKeyProblems(key.toLowerCase()).map(why => invalid(path, key, why))),
    ...(bytes > MAX_BYTES ? [tooLong(path, MAX_BYTES)] : NONE),
  ];
}
