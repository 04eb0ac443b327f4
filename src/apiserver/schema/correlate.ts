// Which item of the old list an item of the new one continues: only maps have items with an identity.

import type { Json } from '../parts.ts';
import { isObject, sameJson } from '../rules/json.ts';
import type { Structural } from './structural.ts';

/** Undefined: none, or the list is one whose items cannot be told from each other. */
export function correlatedItem(schema: Structural, before: readonly Json[] | undefined, item: Json): Json | undefined {
  if (schema.listType !== 'map' || before === undefined || !isObject(item)) return undefined;
  return before.find(
    candidate =>
      isObject(candidate) &&
      schema.listKeys.every(key => sameJson(keyOf(schema, candidate, key), keyOf(schema, item, key))),
  );
}

/** A key that is not set has its default. */
function keyOf(schema: Structural, item: Record<string, Json>, key: string): Json | undefined {
  return item[key] ?? schema.items?.properties.get(key)?.default;
}
