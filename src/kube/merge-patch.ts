// Merge patches (RFC 7386), as a status or spec change is one: absent keys stay, null removes.

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** `target` after `patch`. Neither is changed. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const merged: Record<string, unknown> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatched(merged[key], value);
  }
  return merged;
}

/** Two patches in one, the second on top. Unlike a target, a patch keeps its nulls. */
export function joinedPatches(first: Fields, second: Fields): Fields {
  const joined: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const earlier = joined[key];
    joined[key] = isFields(earlier) && isFields(value) ? joinedPatches(earlier, value) : value;
  }
  return joined;
}

/** What of `patch` would change `target`; undefined when nothing would. */
export function effective(target: unknown, patch: Fields): Fields | undefined {
  const fields = isFields(target) ? target : {};
  const left: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null ? key in fields : !same(fields[key], mergePatched(fields[key], value))) left[key] = value;
  }
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Whether two JSON values say the same, whatever the order of their keys. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => same(item, other[at]));
  }
  if (!isFields(one) || !isFields(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every(key => key in other && same(one[key], other[key]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
