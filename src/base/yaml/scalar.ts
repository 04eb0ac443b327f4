// How a text is written: as it stands, in quotes of either kind, or as a block.

import { isBreak } from './characters.ts';
import { writeDoubleQuoted } from './double-quoted.ts';
import { readsAsText } from './meaning.ts';
import type { Page } from './page.ts';
import { type Shape, shapeOf } from './shape.ts';

export interface TextPlace {
  /** The column at which further lines start. */
  readonly indent: number;
  /** A map's key stays on its line: one with breaks is none of these. */
  readonly isKey: boolean;
}

type Style = 'plain' | 'single' | 'double' | 'block';

export function writeText(page: Page, text: string, place: TextPlace): void {
  const characters = [...text];
  const write = WRITERS[styleOf(text, shapeOf(characters))];
  write(page, characters, place);
}

function styleOf(text: string, shape: Shape): Style {
  if (text.includes('\n')) return shape.block ? 'block' : 'double';
  if (!readsAsText(text)) return 'double';
  if (shape.plain) return 'plain';
  return shape.singleQuoted ? 'single' : 'double';
}

type Writer = (page: Page, characters: readonly string[], place: TextPlace) => void;

const WRITERS: Readonly<Record<Style, Writer>> = {
  plain: writePlain,
  single: writeSingleQuoted,
  double: writeDoubleQuoted,
  block: writeBlock,
};

function writePlain(page: Page, characters: readonly string[], { indent, isKey }: TextPlace): void {
  page.space();
  for (const [index, character] of characters.entries()) {
    if (!isKey && page.isPastFold && isLoneSpace(characters, index)) page.indent(indent);
    else writeCharacter(page, character);
  }
  page.endScalar();
}

function writeSingleQuoted(page: Page, characters: readonly string[], { indent, isKey }: TextPlace): void {
  page.indicator("'", { spaced: true });
  for (const [index, character] of characters.entries()) {
    const isInside = index > 0 && index < characters.length - 1;
    if (startsLine(characters, index)) page.indent(indent);
    if (!isKey && isInside && page.isPastFold && isLoneSpace(characters, index)) page.indent(indent);
    else writeCharacter(page, character);
    if (character === "'") page.content(character);
  }
  page.indicator("'", { spaced: false });
  page.endScalar();
}

/** A line is folded at a space that stands alone: the reader gives one back. */
const isLoneSpace = (characters: readonly string[], index: number): boolean =>
  characters[index] === ' ' && characters[index - 1] !== ' ' && characters[index + 1] !== ' ';

const startsLine = (characters: readonly string[], index: number): boolean =>
  index > 0 && isBreak(characters[index - 1] ?? '') && !isBreak(characters[index] ?? '');

function writeCharacter(page: Page, character: string): void {
  if (isBreak(character)) page.ownBreak(character);
  else if (character === ' ') page.put(character);
  else page.content(character);
}

function writeBlock(page: Page, characters: readonly string[], { indent }: TextPlace): void {
  page.indicator('|', { spaced: true });
  page.indicator(blockHints(characters), { spaced: false });
  page.openBlock();
  for (const [index, character] of characters.entries()) {
    if (isBreak(character)) page.ownBreak(character);
    else {
      if (index === 0 || startsLine(characters, index)) page.indent(indent);
      page.content(character);
    }
  }
}

/** How far the block is indented, where its first line does not show it, and what becomes of its last breaks. */
function blockHints(characters: readonly string[]): string {
  const [first = ''] = characters;
  const last = characters.at(-1) ?? '';
  const indent = first === ' ' || isBreak(first) ? '2' : '';
  if (!isBreak(last)) return `${indent}-`;
  const beforeLast = characters.at(-2);
  return beforeLast === undefined || isBreak(beforeLast) ? `${indent}+` : indent;
}
