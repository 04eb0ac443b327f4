// Unknown fields are found in the order of the type; they are told in the order of the document.

import type { Json, JsonObject } from '../parts.ts';
import { isList, isObject } from './json.ts';

export function inDocumentOrder(object: JsonObject, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  const wanted = new Set(paths);
  return [...pathsIn(object, '')].filter(path => wanted.has(path));
}

function* pathsIn(value: Json, at: string): Generator<string> {
  if (isList(value)) for (const [index, item] of value.entries()) yield* pathsIn(item, `${at}[${index}]`);
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = at === '' ? key : `${at}.${key}`;
    yield path;
    yield* pathsIn(inner, path);
  }
}
