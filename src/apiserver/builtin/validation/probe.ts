// What a probe must be: one handler, and times that are not below zero.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject } from '../json.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const TIMES = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

export function probeErrors(path: string, container: JsonObject): Errors {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap(key => {
    const probe = container[key];
    if (!isObject(probe)) return [];
    const at = `${path}.${key}`;
    return [
      ...oneHandler(at, probe),
      ...timeErrors(at, probe),
      ...(key === 'readinessProbe' ? [] : succeedsOnce(at, probe)),
    ];
  });
}

function oneHandler(path: string, probe: JsonObject): Errors {
  const [first, ...others] = HANDLERS.filter(key => isObject(probe[key]));
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return others.map(key => forbidden(`${path}.${key}`, 'may not specify more than 1 handler type'));
}

const timeErrors = (path: string, probe: JsonObject): Errors =>
  TIMES.flatMap(key => nonNegativeErrors(path, probe, key));

/** A container that is alive, or has started, stays so. */
function succeedsOnce(path: string, probe: JsonObject): Errors {
  const times = countAt(probe, 'successThreshold');
  return times === 1 ? [] : [invalid(`${path}.successThreshold`, times, 'must be 1')];
}
