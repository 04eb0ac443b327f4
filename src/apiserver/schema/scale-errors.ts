// Whether the fields that a custom resource's scale subresource points at hold what a Scale can show.

import type { FieldError, Json, JsonObject, Resource } from '../parts.ts';
import { goText } from '../rules/go-text.ts';
import { isObject } from '../rules/json.ts';
import { invalid } from './field-errors.ts';

const LARGEST = 2_147_483_647;

export function scaleErrors({ scale }: Resource, object: JsonObject): readonly FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  return [
    ...countErrors(object, specReplicasPath),
    ...(labelSelectorPath === '' ? [] : textErrors(object, labelSelectorPath)),
    ...countErrors(object, statusReplicasPath),
  ];
}

function countErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAt(object, path);
  if ('trouble' in found) return [invalid(path, 0, found.trouble)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== 'number' || !Number.isInteger(value)) return [invalid(path, 0, mismatch(path, value, 'int64'))];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > LARGEST ? [invalid(path, value, `should be less than or equal to ${LARGEST}`)] : [];
}

function textErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAt(object, path);
  if ('trouble' in found) return [invalid(path, '', found.trouble)];
  const { value } = found;
  return value === undefined || typeof value === 'string' ? [] : [invalid(path, '', mismatch(path, value, 'string'))];
}

type Found = { readonly value: Json | undefined } | { readonly trouble: string };

/** What is at `.spec.replicas`; nothing, where a part of the way is missing. */
function valueAt(object: JsonObject, path: string): Found {
  let value: Json | undefined = object;
  const way: string[] = [];
  for (const key of path.split('.').filter(Boolean)) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isObject(value)) return { trouble: mismatch(`.${way.join('.')}`, value, 'map[string]interface{}') };
    value = value[key];
    way.push(key);
  }
  return { value };
}

/** In the words of the real server, which names its own types. */
const mismatch = (path: string, value: Json, wanted: string): string =>
  `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${wanted}`;

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
