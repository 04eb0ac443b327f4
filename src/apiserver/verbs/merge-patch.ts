// JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces.

import type { Json } from '../parts.ts';
import { type Draft, isObject, setKey } from '../rules/json.ts';

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Draft = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) delete merged[key];
    else setKey(merged, key, mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value));
  }
  return merged;
}
