// What a new state says as the old one did becomes the very same: all that compares the two later sees it at once.

import type { Json, JsonObject } from '../parts.ts';
import { type Draft, isObject, sameJson, setKey } from './json.ts';

/** `next`, with every part that says the same in `old` taken from there. Looks at each part once, however deep it lies. */
export function sharing(next: JsonObject, old: JsonObject): JsonObject {
  const keys = Object.keys(next);
  let draft: Draft | undefined;
  for (const [at, key] of keys.entries()) {
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    const part = shared(next[key] ?? null, before);
    if (part !== before) draft ??= partsOf(old, keys.slice(0, at));
    if (draft !== undefined) setKey(draft, key, part);
  }
  if (draft !== undefined) return draft;
  return keys.length === Object.keys(old).length ? old : partsOf(old, keys);
}

function shared(part: Json, before: Json | undefined): Json {
  if (before === undefined) return part;
  if (isObject(part) && isObject(before)) return sharing(part, before);
  return sameJson(part, before) ? before : part;
}

function partsOf(object: JsonObject, keys: readonly string[]): Draft {
  const draft: Draft = {};
  for (const key of keys) setKey(draft, key, object[key] ?? null);
  return draft;
}
