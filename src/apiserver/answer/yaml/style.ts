// How a text is written in YAML: as it is, in quotes of one kind or the other, or line by line.

import { readsAsText } from './meaning.ts';

export type Style = 'plain' | 'single' | 'double' | 'literal';

/** Those that may stand in a text at all: the others are escaped. */
export const isBreak = (character: string | undefined): boolean =>
  character === '\n' || character === '\u2028' || character === '\u2029';

/** Signs that mean something at the beginning, whatever follows. */
const OPENING = new Set('#,[]{}&*!|>\'"%@`');
const OPENING_BEFORE_SPACE = new Set('?:-');
const NOT_PRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

export function styleOf(text: string): Style {
  if (text.includes('\n')) return canBeLiteral(text) ? 'literal' : 'double';
  if (!readsAsText(text)) return 'double';
  if (NOT_PRINTABLE.test(text) || hasSpaceBesideBreak(text)) return 'double';
  return canBePlain(text) ? 'plain' : 'single';
}

const canBeLiteral = (text: string): boolean =>
  !text.endsWith(' ') && !NOT_PRINTABLE.test(text) && !/ [\n\u2028\u2029]/.test(text);

const hasSpaceBesideBreak = (text: string): boolean => / [\u2028\u2029]|[\u2028\u2029] /.test(text);

function canBePlain(text: string): boolean {
  if (/^ | $|[\u2028\u2029]/.test(text) || /^(---|\.\.\.)/.test(text)) return false;
  const [first = ''] = text;
  if (OPENING.has(first)) return false;
  if (OPENING_BEFORE_SPACE.has(first) && /^.($| )/.test(text)) return false;
  return !/:($| )| #/.test(text);
}
