// Optional entries of literals, `[?x]` and `{?k: v}`: the CEL library cannot read them, so the question marks are taken
// out before it does, and remembered by their places.

import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf } from './children.ts';
import type { Type } from './macro.ts';

export interface Unmarked {
  /** As long as the source: all other places stay. */
  readonly text: string;
  /** Finds the optional parts in what was read of the text. */
  remember(ast: ASTNode): void;
}

const optionalParts = new WeakSet<ASTNode>();
const bareParts = new WeakSet<ASTNode>();

/** Whether a part that had a question mark before it turned out not to be of an optional type. */
export const isBare = (part: ASTNode): boolean => bareParts.has(part);

/** Whether an item of a list, or the key of an entry, had a question mark before it. */
export const isOptional = (part: ASTNode): boolean => optionalParts.has(part);

/** A text in quotes, a comment, a word or number, white space, or one sign. */
const TOKEN =
  /[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\/[^\n]*|\w+|\s+|[\s\S]/g;

const NONE: ReadonlySet<number> = new Set();

export function unmarked(source: string): Unmarked {
  const marks = source.includes('?') ? marksIn(source) : NONE;
  if (marks.size === 0) return { text: source, remember: () => undefined };
  const text = without(source, marks);
  const remember = (node: ASTNode): void => {
    for (const [begin, part] of partsOf(node)) if (isMarked(text, marks, beginOf(begin))) makeOptional(begin, part);
    for (const child of childrenOf(node)) remember(child);
  };
  return { text, remember };
}

/** What begins a part of a literal, and what is optional in it. */
function partsOf(node: ASTNode): readonly (readonly [ASTNode, ASTNode])[] {
  if (node.op === 'list') return node.args.map(item => [item, item]);
  return node.op === 'map' ? node.args : [];
}

/** In a literal it has the type of what it holds. */
function makeOptional(begin: ASTNode, part: Checkable): void {
  optionalParts.add(begin);
  const { check } = part;
  if (check === undefined) return;
  part.check = (...args: readonly unknown[]): Type => {
    const type = check.apply(part, [...args]);
    if (type.kind !== 'optional' && type.kind !== 'dyn') bareParts.add(part);
    return type.valueType !== undefined && type.kind === 'optional' ? type.valueType : type;
  };
}

/** As the library's checker meets it. */
type Checkable = ASTNode & { check?(...args: readonly unknown[]): Type };

const without = (source: string, marks: ReadonlySet<number>): string =>
  source.replaceAll('?', (sign, at: number) => (marks.has(at) ? ' ' : sign));

/** A mark stands at the beginning of a literal, or after one of its commas. */
function marksIn(source: string): ReadonlySet<number> {
  const marks = new Set<number>();
  const open: boolean[] = [];
  let before = '';
  let at = 0;
  for (const token of source.match(TOKEN) ?? []) {
    if (token === '?' && isEntry(before, open)) marks.add(at);
    follow(open, token, before);
    if (!/^(\s|\/\/)/.test(token)) before = token;
    at += token.length;
  }
  return marks;
}

/** `open` says of each bracket whether it is a literal's. */
function follow(open: boolean[], token: string, before: string): void {
  if (token === '[') open.push(!isValue(before));
  else if (token === '{' || token === '(') open.push(token === '{');
  else if (token === ']' || token === '}' || token === ')') open.pop();
}

const isEntry = (before: string, open: readonly boolean[]): boolean =>
  open.at(-1) === true && (before === ',' || before === '[' || before === '{');

/** What a bracket after it would index. */
const isValue = (token: string): boolean => token !== 'in' && /[\w"')\]}]$/.test(token);

function isMarked(text: string, marks: ReadonlySet<number>, begin: number): boolean {
  for (let at = begin - 1; at >= 0 && /[\s(]/.test(text[at] ?? ''); at -= 1) if (marks.has(at)) return true;
  return false;
}

/** Of an operator the library tells the place of the sign. */
const beginOf = (node: ASTNode): number =>
  childrenOf(node).reduce((first, child) => Math.min(first, beginOf(child)), node.start);
