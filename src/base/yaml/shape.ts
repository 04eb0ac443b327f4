// Which ways of writing a text are open to it, by the characters that it holds and where they stand.

import { isBlankOrEnd, isBreak, isPrintable } from './characters.ts';

export interface Shape {
  readonly hasBreaks: boolean;
  /** Without quotes. */
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  /** As a block after `|`. */
  readonly block: boolean;
}

/** `characters` are whole code points. */
export function shapeOf(characters: readonly string[]): Shape {
  if (characters.length === 0) return { hasBreaks: false, plain: true, singleQuoted: true, block: false };
  const first = characters[0] ?? '';
  const last = characters.at(-1) ?? '';
  const hasBreaks = characters.some(isBreak);
  const bordered = [first, last].some(character => character === ' ' || isBreak(character));
  const special = characters.some(character => !isPrintable(character));
  const spaceAtBreak = hasPair(characters, (one, next) => one === ' ' && isBreak(next));
  const breakAtSpace = hasPair(characters, (one, next) => isBreak(one) && next === ' ');
  const quotesEverything = special || spaceAtBreak;
  return {
    hasBreaks,
    plain: !(bordered || breakAtSpace || quotesEverything || hasBreaks || looksLikeSyntax(characters)),
    singleQuoted: !(breakAtSpace || quotesEverything),
    block: !(last === ' ' || quotesEverything),
  };
}

const OPENING_SIGNS = new Set([...'#,[]{}&*!|>\'"%@`']);

function looksLikeSyntax(characters: readonly string[]): boolean {
  const [first = '', second] = characters;
  if (OPENING_SIGNS.has(first)) return true;
  if ('?:-'.includes(first) && isBlankOrEnd(second)) return true;
  const opening = characters.slice(0, 3).join('');
  if (opening === '---' || opening === '...') return true;
  return characters.some((character, index) => index > 0 && separates(character, index, characters));
}

/** `a: b` reads as a key with its value, `a #b` as a text with a comment. */
function separates(character: string, index: number, characters: readonly string[]): boolean {
  if (character === ':') return isBlankOrEnd(characters[index + 1]);
  return character === '#' && isBlankOrEnd(characters[index - 1]);
}

const hasPair = (characters: readonly string[], is: (one: string, next: string) => boolean): boolean =>
  characters.some((next, index) => index > 0 && is(characters[index - 1] ?? '', next));
