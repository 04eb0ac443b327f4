// What RuntimeClasses must be: a handler, what it costs, where it runs.

import type { JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import { resourceErrors } from './resources.ts';
import { type Errors, labelErrors, labelMapErrors } from './texts.ts';
import { tolerationErrors } from './tolerations.ts';

export function runtimeClassErrors(runtimeClass: JsonObject): Errors {
  const scheduling = objectAt(runtimeClass, 'scheduling');
  return [
    ...handlerErrors(textAt(runtimeClass, 'handler')),
    // The real server names them so.
    ...resourceErrors('overhead', { limits: objectAt(objectAt(runtimeClass, 'overhead'), 'podFixed') }),
    ...labelMapErrors('scheduling.nodeSelector', objectAt(scheduling, 'nodeSelector')),
    ...tolerationErrors('scheduling.tolerations', objectsAt(scheduling, 'tolerations')),
  ];
}

function handlerErrors(handler: string): Errors {
  if (handler === '') return [required('handler')];
  // Counted otherwise than the other names.
  return handler.length > 63
    ? [invalid('handler', handler, 'must be no more than 63 characters')]
    : labelErrors('handler', handler);
}
