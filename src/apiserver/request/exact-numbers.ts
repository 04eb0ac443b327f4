// Numbers that JSON.parse would change in silence: whole ones that no double holds, and those beyond all doubles.

import { JSON_TOKEN, JsonPlace } from './json-place.ts';

/** A number of sixteen digits or with a large exponent: only such can be another one afterwards. */
const SUSPECT = /[:,[\s]-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/;
const WHOLE = /^-?\d+$/;
const LARGEST = 2n ** 63n;

/** What is wrong with the first number that would be changed; undefined: the text's numbers are kept. `into`: where Go reads it. */
export function numberProblem(json: string, into = 'Go value'): string | undefined {
  if (!SUSPECT.test(json)) return undefined;
  const place = new JsonPlace();
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    const isNumber = /^[-\d]/.test(token);
    if (isNumber && !Number.isFinite(Number(token)))
      return `json: cannot unmarshal number ${token} into ${into} of type float64`;
    if (isNumber && isChanged(token)) return inexact(token, place.path);
    place.read(token);
  }
  return undefined;
}

/** Whether the whole number that the text writes is another one as a double. What no int64 holds is a double to Go, too. */
export function isChanged(text: string): boolean {
  if (text.length < 16 || !WHOLE.test(text) || String(Number(text)) === text) return false;
  const whole = BigInt(text);
  return whole >= -LARGEST && whole < LARGEST;
}

/** Numbers are doubles here: whole ones beyond 2^53 lie between them, and what cannot be kept is refused. */
export const inexact = (text: string, field: string): string =>
  `${field}: whole number ${text} cannot be kept exactly (beyond 2^53 not every one can): send another, or a string`;
