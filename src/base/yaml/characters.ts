// Which characters YAML 1.1 breaks lines at, takes for white space, and shows as they are.

const NEXT_LINE = '\u0085';
const BREAKS = new Set(['\r', '\n', NEXT_LINE, '\u2028', '\u2029']);

export const isBreak = (character: string): boolean => BREAKS.has(character);

/** Space or tab, or nothing where the text ends. */
export const isBlankOrEnd = (character: string | undefined): boolean =>
  character === undefined || character === ' ' || character === '\t';

/** Characters above U+FFFF are not: upstream's writer escapes them. */
export function isPrintable(character: string): boolean {
  const code = codeOf(character);
  if (code === 0x0a) return true;
  if (code <= 0x7e) return code >= 0x20;
  if (code <= 0xd7ff) return code >= 0xa0;
  return code >= 0xe000 && code <= 0xfffd && code !== 0xfeff;
}

export const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
