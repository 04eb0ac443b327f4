// What ReplicationControllers must be, which know equal labels alone.

import type { JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { templateErrors } from './selected-templates.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

export function replicationControllerErrors(controller: JsonObject): Errors {
  const spec = objectAt(controller, 'spec');
  const selector = objectAt(spec, 'selector');
  return [
    ...nonNegativeErrors('spec', spec, 'minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...nonNegativeErrors('spec', spec, 'replicas'),
    ...(isObject(spec.template) ? madeErrors(spec, selector) : [required('spec.template')]),
  ];
}

function madeErrors(spec: JsonObject, selector: JsonObject): Errors {
  const metadata = objectAt(objectAt(spec, 'template'), 'metadata');
  const labels = objectAt(metadata, 'labels');
  const isSelected = Object.keys(selector).every(key => textAt(labels, key) === selector[key]);
  const why = '`selector` does not match template `labels`';
  const missed = isSelected ? [] : [invalid('spec.template.metadata.labels', metadata.labels ?? null, why)];
  return [...missed, ...templateErrors(spec, 'ReplicationController')];
}
