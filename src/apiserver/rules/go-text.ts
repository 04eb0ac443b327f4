// Values as Go prints them with %v: messages of strategic merge and apply show them so.

import type { Json } from '../parts.ts';
import { isObject } from './json.ts';

/** `map[a:1 b:[x y]]`: keys sorted, texts bare. */
export function goText(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item: Json) => goText(item)).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map(key => `${key}:${goText(value[key])}`).join(' ')}]`;
}
