// Fields that a JSON text says twice: JSON.parse keeps the last and is silent, Kubernetes warns.

import type { Json } from '../parts.ts';
import { JSON_TOKEN, JsonPlace } from './json-place.ts';

/** More are not told. */
const MAX_FOUND = 100;

/** What writes the same text again has lost nothing in reading, and most clients write as JSON.stringify does. */
export const readsAsWritten = (json: string, value: Json): boolean => JSON.stringify(value) === json.trimEnd();

/**
 * Paths of the duplicates, in the order in which they come: `metadata.name`, `spec.containers[0].image`. `value` is what
 * JSON.parse made of the text.
 */
export function duplicateFields(json: string, value: Json): readonly string[] {
  if (readsAsWritten(json, value)) return [];
  const place = new JsonPlace();
  const found: string[] = [];
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    if (place.read(token) && found.length < MAX_FOUND) found.push(place.path);
  }
  return found;
}
