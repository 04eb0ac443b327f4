// How a default is written: only where nothing is said. Drafts are the fresh objects that `tidy` made.

import type { Json } from '../../parts.ts';
import { type Draft, isObject } from '../json.ts';

/** Sets a field that is absent, or empty text: Go cannot tell those apart. */
export function fill(draft: Draft, key: string, value: Json): void {
  const found = draft[key];
  if (found === undefined || found === null || found === '') draft[key] = value;
}

/** Sets a field whose empty value means something (pointers in Go). */
export function fillAbsent(draft: Draft, key: string, value: Json): void {
  if (draft[key] === undefined || draft[key] === null) draft[key] = value;
}

/** The object at a key, to be changed in place; undefined when there is none. */
export function draftAt(draft: Draft, key: string): Draft | undefined {
  const found = draft[key];
  return isObject(found) ? found : undefined;
}

/** The object at a key, made when it is not there. */
export function draftIn(draft: Draft, key: string): Draft {
  const found = draftAt(draft, key);
  if (found !== undefined) return found;
  const made: Draft = {};
  draft[key] = made;
  return made;
}

/** The objects of the list at a key, to be changed in place. */
export function draftsAt(draft: Draft, key: string): readonly Draft[] {
  const found = draft[key];
  return Array.isArray(found) ? found.filter(isObject) : [];
}
