// JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces.

import type { Json, JsonObject } from '../parts.ts';
import { isObject } from '../rules/json.ts';

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  // A Map, so that a key named `__proto__` is a key like any other.
  const merged = new Map<string, Json>(isObject(target) ? (Object.entries(target) as [string, Json][]) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged) as JsonObject;
}
