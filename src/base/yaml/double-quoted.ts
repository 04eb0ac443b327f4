// How a text is written in double quotes: what cannot be shown is escaped, long lines are folded at spaces.

import { codeOf, isBreak, isPrintable } from './characters.ts';
import type { Page } from './page.ts';

const BYTE_ORDER_MARK = '\ufeff';

const SHORT_ESCAPES = new Map([
  ['\0', '0'],
  ['\u0007', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\u001b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\u0085', 'N'],
  ['\u00a0', '_'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);

export function writeDoubleQuoted(
  page: Page,
  characters: readonly string[],
  { indent, isKey }: { readonly indent: number; readonly isKey: boolean },
): void {
  // A slip of upstream's writer: a text that starts with a byte order mark is escaped to its end.
  const escapesAll = characters[0] === BYTE_ORDER_MARK;
  let folds = false;
  page.indicator('"', { spaced: true });
  for (const [index, character] of characters.entries()) {
    const isInside = index > 0 && index < characters.length - 1;
    const afterSpace = folds;
    folds = character === ' ' && !escapesAll;
    if (escapesAll || mustEscape(character)) putAll(page, escapeOf(character));
    else if (folds && !isKey && isInside && !afterSpace && page.isPastFold) fold(page, indent, characters[index + 1]);
    else page.put(character);
  }
  page.indicator('"', { spaced: false });
  page.endScalar();
}

/** Spaces that start a line are lost to the reader: the first of them is marked. */
function fold(page: Page, indent: number, next: string | undefined): void {
  page.indent(indent);
  if (next === ' ') page.put('\\');
}

const mustEscape = (character: string): boolean =>
  !isPrintable(character) || isBreak(character) || character === '"' || character === '\\';

function escapeOf(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return `\\${short}`;
  const hex = codeOf(character).toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function putAll(page: Page, text: string): void {
  for (const character of text) page.put(character);
}
