// Object literals of mutating policies, `Object.spec{replicas: 1}` and `JSONPatch{op: "add"}`, as maps: the CEL library
// has no literals of types.

/** A word with dots, a text in quotes, or one sign. */
const TOKEN = /r?("""[\s\S]*?"""|'''[\s\S]*?''')|r?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|[A-Za-z_][\w.]*|\s+|./gsu;
const TYPE = /^(Object(\.\w+)*|JSONPatch)$/;
const ESCAPE_KEY = 'jsonpatch.escapeKey';

/** The function behind `jsonpatch.escapeKey`. */
export const ESCAPE_KEY_FUNCTION = '__escapeKey';

interface Bracket {
  readonly isStruct: boolean;
  /** The next word names a field. */
  atKey: boolean;
}

/** The expression with maps in their place; any other expression as it is. */
export function withMaps(source: string): string {
  if (!/Object|JSONPatch|jsonpatch/.test(source)) return source;
  const tokens = source.match(TOKEN) ?? [];
  const open: Bracket[] = [];
  return tokens.map((_, index) => written(tokens, index, open)).join('');
}

function written(tokens: readonly string[], index: number, open: Bracket[]): string {
  const token = tokens[index] ?? '';
  if (isType(tokens, index)) return '';
  const around = open.at(-1);
  if ('{(['.includes(token)) {
    open.push({ isStruct: token === '{' && isType(tokens, lastWord(tokens, index)), atKey: true });
    return token;
  }
  if ('})]'.includes(token)) open.pop();
  return around?.isStruct === true ? inStruct(around, token) : named(token);
}

const named = (token: string): string => (token === ESCAPE_KEY ? ESCAPE_KEY_FUNCTION : token);

/** A type's name only counts with its brace. */
const isType = (tokens: readonly string[], index: number): boolean =>
  TYPE.test(tokens[index] ?? '') && nextSign(tokens, index) === '{';

/** White space is one token at most. */
const lastWord = (tokens: readonly string[], index: number): number =>
  tokens[index - 1]?.trim() === '' ? index - 2 : index - 1;

function inStruct(around: Bracket, token: string): string {
  if (token === ',') around.atKey = true;
  if (!around.atKey || !/^\w/.test(token)) return named(token);
  around.atKey = false;
  return JSON.stringify(token);
}

const nextSign = (tokens: readonly string[], index: number): string | undefined =>
  tokens[index + 1]?.trim() === '' ? tokens[index + 2] : tokens[index + 1];
