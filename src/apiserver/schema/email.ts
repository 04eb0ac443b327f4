// Whether a text is one mail address as Go reads them (RFC 5322): bare, with a name before it, or alone in a group.

import { parseAddress } from '../../base/ip.ts';

// No two parts of these can take the same character at the same place: the time grows with the length alone.
const SIGN = "!#-'*+\\-/-9=?A-Z^-~\\x80-\\u{10ffff}";
const ATOM = `[${SIGN}]+(?:\\.[${SIGN}]+)*`;
const QUOTED = '"(?:[\\t !#-\\[\\]-~\\x80-\\u{10ffff}]|\\\\[\\t -~\\x80-\\u{10ffff}])*"';
const SPACE = '[ \\t]*';
const ADDRESS = `${SPACE}(?:${ATOM}|${QUOTED})@${SPACE}(?:${ATOM}|\\[([^\\[\\]]*)\\])`;
const WORD = `(?:[${SIGN}.]+|${QUOTED})`;
const NAME = `${SPACE}${WORD}(?:[ \\t]+${WORD})*${SPACE}`;
const NAMED = `(?:${NAME})?${SPACE}<${ADDRESS}>`;
const GROUP = `${NAME}:(?:${ADDRESS}|${NAMED})${SPACE};`;
const REST = '(?:[ \\t]|\\((?:[^()\\\\]|\\\\.)*\\))*';
const ONE_ADDRESS = new RegExp(`^(?:${ADDRESS}|${NAMED}|${GROUP})${REST}$`, 'u');

export function isEmail(text: string): boolean {
  const found = ONE_ADDRESS.exec(text);
  return found?.slice(1).every(literal => literal === undefined || parseAddress(literal) !== undefined) ?? false;
}
