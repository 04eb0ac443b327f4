// What a new state says as the old one did becomes the very same: all that compares the two later sees it at once.

import type { Json, JsonObject } from '../parts.ts';
import { type Draft, isObject, sameJson, setKey } from './json.ts';

/** `next`, with every part that says the same in `old` taken from there. */
export function sharing(next: JsonObject, old: JsonObject): JsonObject {
  const draft: Draft = {};
  for (const key of Object.keys(next)) {
    const [part, before] = [next[key] ?? null, Object.hasOwn(old, key) ? old[key] : undefined];
    setKey(draft, key, before === undefined ? part : shared(part, before));
  }
  return draft;
}

function shared(part: Json, before: Json): Json {
  if (sameJson(part, before)) return before;
  return isObject(part) && isObject(before) ? sharing(part, before) : part;
}
