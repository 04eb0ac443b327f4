// What selects devices: an expression on one device that says yes or no.

import type { Environment } from '@marcbachmann/cel-js';
import type { JsonObject } from '../../parts.ts';
import { checkedExpression } from '../../schema/cel/checked.ts';
import { celTimes, ruleEnvironment } from '../../schema/cel/environment.ts';
import type { TypeFields } from '../../schema/cel/type-checks.ts';
import { fullTypeNamesIn } from '../../schema/cel/type-names.ts';
import { declareTypes } from '../../schema/cel/types.ts';
import { invalid, required, tooLong, tooMany } from '../../schema/field-errors.ts';
import { structuralOf } from '../../schema/structural.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

const MOST = 32;
const MAX_BYTES = 10 * 1024;

/** By the domain of a driver, and then by name; what they are differs by device. */
const BY_DOMAIN = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
};
const DEVICE = {
  type: 'object',
  properties: {
    driver: { type: 'string' },
    attributes: BY_DOMAIN,
    capacity: BY_DOMAIN,
    allowMultipleAllocations: { type: 'boolean' },
  },
};

interface Ground {
  readonly environment: Environment;
  readonly fields: TypeFields;
}

let ground: Ground | undefined;

/** Made when it is first needed: few clusters have devices. */
function groundOfAll(): Ground {
  ground ??= newGround();
  return ground;
}

function newGround(): Ground {
  const environment = ruleEnvironment();
  const { name, fields } = declareTypes(environment, structuralOf(DEVICE), celTimes(), 'kubernetes.DRADevice');
  environment.registerVariable('device', name);
  return { environment, fields };
}

export function selectorsErrors(path: string, holder: JsonObject): Errors {
  const selectors = objectsAt(holder, 'selectors');
  if (selectors.length > MOST) return [tooMany(path, selectors.length, MOST)];
  return selectors.flatMap(({ cel }, index) => {
    const at = `${path}[${index}].cel`;
    return isObject(cel) ? expressionErrors(`${at}.expression`, textAt(cel, 'expression')) : [required(at)];
  });
}

function expressionErrors(path: string, source: string): Errors {
  if (Buffer.byteLength(source) > MAX_BYTES) return [tooLong(path, MAX_BYTES)];
  const { environment, fields } = groundOfAll();
  const checked = checkedExpression(environment, { source }, fields);
  if (checked.kind === 'refused') return [invalid(path, source, `compilation failed: ${checked.words}`)];
  if (checked.bad !== undefined) return [invalid(path, source, checked.bad.text)];
  const { type } = checked;
  if (type === 'bool' || type === 'dyn') return NONE;
  return [invalid(path, source, `must evaluate to bool or the unknown type, not ${fullTypeNamesIn(type)}`)];
}
