// What drivers say of room for volumes: how much of which class, on which Nodes.

import type { JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { isObject, sameJson, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { NONE } from './fields.ts';
import { selectorErrors } from './match-rules.ts';
import { type Errors, subdomainErrors } from './texts.ts';

export function storageCapacityErrors(capacity: JsonObject, old: JsonObject | undefined): Errors {
  const { nodeTopology } = capacity;
  return [
    ...(old === undefined ? NONE : movedErrors(capacity, old)),
    ...subdomainErrors('storageClassName', textAt(capacity, 'storageClassName')),
    ...(isObject(nodeTopology) ? selectorErrors('nodeTopology', nodeTopology) : NONE),
    ...amountErrors('capacity', capacity),
  ];
}

function amountErrors(key: string, capacity: JsonObject): Errors {
  const amount = textAt(capacity, key);
  const isNegative = amount !== '' && (nanoOf(amount) ?? 0n) < 0n;
  return isNegative ? [invalid(key, amount, 'must be greater than or equal to 0')] : NONE;
}

const movedErrors = (capacity: JsonObject, old: JsonObject): Errors =>
  ['nodeTopology', 'storageClassName'].flatMap(key =>
    sameJson(capacity[key] ?? null, old[key] ?? null)
      ? NONE
      : [invalid(key, capacity[key] ?? null, 'field is immutable')],
  );
