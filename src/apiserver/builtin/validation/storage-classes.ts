// What StorageClasses must be: who provides, with which parameters, where.

import type { JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];

export function storageClassErrors(storageClass: JsonObject): Errors {
  const [provisioner, reclaim] = [textAt(storageClass, 'provisioner'), textAt(storageClass, 'reclaimPolicy')];
  const binding = textAt(storageClass, 'volumeBindingMode');
  const isUnnamed = Object.keys(objectAt(storageClass, 'parameters')).includes('');
  return [
    ...(provisioner === '' ? [required('provisioner')] : qualifiedNameErrors('provisioner', provisioner.toLowerCase())),
    ...(isUnnamed ? [invalid('parameters', '', 'field can not be empty.')] : []),
    ...(RECLAIM.includes(reclaim) ? [] : [notSupported('reclaimPolicy', reclaim, RECLAIM)]),
    ...(BINDING.includes(binding) ? [] : [notSupported('volumeBindingMode', binding, BINDING)]),
    ...objectsAt(storageClass, 'allowedTopologies').flatMap((term, index) =>
      termErrors(`allowedTopologies[${index}]`, term),
    ),
  ];
}

function termErrors(path: string, term: JsonObject): Errors {
  return objectsAt(term, 'matchLabelExpressions').flatMap((expression, index) => {
    const at = `${path}.matchLabelExpressions[${index}]`;
    const values = listAt(expression, 'values');
    return [
      ...(values.length === 0 ? [required(`${at}.values`)] : []),
      ...values.flatMap((value, place) =>
        values.indexOf(value) < place ? [duplicate(`${at}.values[${place}]`, value)] : [],
      ),
      ...qualifiedNameErrors(`${at}.key`, textAt(expression, 'key')),
    ];
  });
}
