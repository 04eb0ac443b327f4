// Regular expressions of strangers, in time that is linear in the text whatever the pattern (RE2, as Go has it).

import { RE2JS } from 're2js';

/** Compiled patterns; the oldest goes first. */
const compiled = new Map<string, RE2JS>();
const REMEMBERED = 1000;

/** Throws on a pattern that is none: CRDs with such patterns are refused when they are written. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = RE2JS.compile(pattern);
  const oldest = compiled.keys().next().value;
  if (compiled.size >= REMEMBERED && oldest !== undefined) compiled.delete(oldest);
  compiled.set(pattern, fresh);
  return fresh;
}

/** Anywhere in the text, unless the pattern is anchored. */
export const matchesPattern = (pattern: string, text: string): boolean => compilePattern(pattern).matcher(text).find();

/** Why a pattern is none; undefined when it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
