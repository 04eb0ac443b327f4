// What a container may ask for: known resources, not less than nothing, requests within limits.

import type { JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { objectAt, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import type { Errors } from './texts.ts';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

export function resourceErrors(path: string, resources: JsonObject): Errors {
  const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  return [
    ...Object.keys(limits).flatMap(name => amountErrors(`${path}.limits[${name}]`, name, textAt(limits, name))),
    ...Object.keys(requests).flatMap(name => [
      ...amountErrors(`${path}.requests[${name}]`, name, textAt(requests, name)),
      ...withinLimit(`${path}.requests`, name, textAt(requests, name), textAt(limits, name)),
    ]),
  ];
}

function amountErrors(path: string, name: string, amount: string): Errors {
  const isStandard = STANDARD.has(name) || name.startsWith('hugepages-');
  const unknown =
    isStandard || name.includes('/')
      ? []
      : [
          invalid(path, name, 'must be a standard resource type or fully qualified'),
          invalid(path, name, 'must be a standard resource for containers'),
        ];
  const isNegative = (nanoOf(amount) ?? 0n) < 0n;
  return isNegative ? [...unknown, invalid(path, amount, 'must be greater than or equal to 0')] : unknown;
}

function withinLimit(path: string, name: string, request: string, limit: string): Errors {
  if (limit === '') return [];
  const isAbove = (nanoOf(request) ?? 0n) > (nanoOf(limit) ?? 0n);
  return isAbove ? [invalid(path, request, `must be less than or equal to ${name} limit of ${limit}`)] : [];
}
