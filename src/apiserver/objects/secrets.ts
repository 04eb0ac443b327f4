// Secrets: text is turned into bytes, and what is immutable stays.

import type { FieldError, JsonObject } from '../parts.ts';
import { objectAt, sameJson, without } from '../rules/json.ts';
import { immutableError } from '../rules/metadata.ts';
import type { Strategy } from './strategy.ts';

export const secrets: Strategy = {
  decode: object => encoded({ type: 'Opaque', ...object }),
  validate: (object, old) => (old === undefined ? [] : changes(object, old)),
};

/** `stringData` is written into `data` and not kept. */
function encoded(object: JsonObject): JsonObject {
  if (object.stringData === undefined) return object;
  const texts = Object.entries(objectAt(object, 'stringData'));
  const bytes = texts.map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')] as const);
  return { ...without(object, 'stringData'), data: { ...objectAt(object, 'data'), ...Object.fromEntries(bytes) } };
}

function changes(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!sameJson(object.type, old.type)) errors.push(immutableError('type', object.type));
  if (old.immutable !== true) return errors;
  const fixed = (field: string): FieldError => ({
    type: 'Forbidden',
    field,
    message: 'Forbidden: field is immutable when `immutable` is set',
  });
  if (object.immutable !== true) errors.push(fixed('immutable'));
  if (!sameJson(objectAt(object, 'data'), objectAt(old, 'data'))) errors.push(fixed('data'));
  return errors;
}
