// Compile errors of rules in the words and at the places that CEL in Kubernetes gives them.

import type { ASTNode } from '@marcbachmann/cel-js';
import { typeOf } from './macro.ts';
import { placeIn } from './places.ts';
import { typeNamesIn } from './type-names.ts';

/** An error of the library, as far as it can be read. */
interface Known {
  readonly code: string;
  readonly summary: string;
  readonly start: number;
  readonly node: ASTNode | undefined;
}

/**
 * `atSource` is the error of the expression as it was written, which knows its places; `decisive` that of the one that
 * is run. They differ where only the rewritten one is wrong: then the place is the beginning.
 */
export function errorText(source: string, atSource: unknown, decisive: unknown): string {
  const [placed, real] = [read(atSource), read(decisive)];
  if (placed !== undefined && real !== undefined && isOfLoop(placed))
    return drawn(source, placeOfLoop(source, placed), inWords(placed));
  if (placed === undefined || real === undefined || placed.summary !== real.summary) {
    const said = real ?? { code: '', summary: summaryOf(decisive), start: 0, node: undefined };
    return drawn(source, placeOfHas(source, said), inWords(said));
  }
  return drawn(source, placeOf(source, placed), inWords(placed));
}

export const undeclaredText = (source: string, name: string, offset: number): string =>
  drawn(source, offset, undeclared(name));

/** `all(var, predicate) predicate must return bool, got 'int'`: loops are rewritten, so only this tells of them. */
const LOOP =
  /^(all|exists|exists_one|filter|map)\(.* (?:predicate must return bool, got '(.*)'|invalid predicate iteration variable)$/;

const isOfLoop = ({ summary }: Known): boolean => LOOP.test(summary);

function placeOfLoop(source: string, { summary, start, node }: Known): number {
  const [, name = '', type] = LOOP.exec(summary) ?? [];
  if (type === undefined || name === 'all' || name === 'exists')
    return node === undefined ? start : placeIn(source, node, start);
  return source.lastIndexOf(`${name}(`, start) + name.length;
}

function loopWords({ summary, node }: Known): string {
  const [, name = '', type] = LOOP.exec(summary) ?? [];
  if (type === undefined)
    return name === 'map' || name === 'filter' ? 'argument is not an identifier' : 'argument must be a simple name';
  if (name === 'all' || name === 'exists') return `expected type 'bool' but found '${typeNamesIn(type)}'`;
  const held = name === 'exists_one' ? 'int' : `list(${typeNamesIn((node && typeOf(node)?.name) ?? 'dyn')})`;
  return `found no matching overload for '_?_:_' applied to '(${typeNamesIn(type)}, ${held}, ${held})'`;
}

/** `has` is rewritten, so that only the rewritten one is wrong: CEL points at its parenthesis. */
function placeOfHas(source: string, { code, summary }: Known): number {
  if (code === 'cannot_index_type') return source.indexOf('has(') + 'has'.length;
  if (code !== 'no_such_key') return 0;
  const field = summary.replace('No such key: ', '');
  const call = [...source.matchAll(/\bhas(\([^()]*)\)/g)].find(([, path]) => path?.trimEnd().endsWith(`.${field}`));
  return call === undefined ? 0 : call.index + 'has'.length;
}

/** What went wrong, without the library's drawing of the source. */
export function summaryOf(error: unknown): string {
  const known = read(error);
  if (known !== undefined) return known.summary;
  return error instanceof Error ? error.message : String(error);
}

const undeclared = (name: string): string => `undeclared reference to '${name}' (in container '')`;

/** The line with a mark under the place. */
export function drawn(source: string, offset: number, words: string): string {
  const before = source.slice(0, offset).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = source.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

function read(error: unknown): Known | undefined {
  if (typeof error !== 'object' || error === null || !('summary' in error) || !('code' in error)) return undefined;
  const range = 'range' in error && typeof error.range === 'object' && error.range !== null ? error.range : {};
  const start: unknown = 'start' in range ? range.start : 0;
  const node = 'node' in error && isNode(error.node) ? error.node : undefined;
  return {
    code: String(error.code),
    summary: String(error.summary).replace(
      /__(?=matches|substring|indexOf|lastIndexOf|split|lowerAscii|upperAscii|string)/,
      '',
    ),
    start: typeof start === 'number' ? start : 0,
    node,
  };
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/** CEL points at operators, dots and opening parentheses; the library at where an expression begins. */
function placeOf(source: string, { code, start, node }: Known): number {
  if (node?.op !== '[]' && (code === 'no_such_key' || code === 'cannot_index_type')) return Math.max(0, start - 1);
  return node === undefined ? start : placeIn(source, node, start);
}

function inWords({ code, summary, node }: Known): string {
  if (node?.op === '[]' && INDEXING.has(code)) return indexWords(node);
  if (node?.op === '?:' && summary.startsWith('Ternary branches')) return choiceWords(node);
  if (LOOP.test(summary)) return loopWords({ code, summary, node, start: 0 });
  switch (code) {
    case 'unknown_variable':
      return undeclared(summary.replace('Unknown variable: ', ''));
    case 'invalid_index_type':
      return `type '${node?.op === '.' ? typeNamesIn(typeOf(node.args[0])?.name ?? 'dyn') : 'dyn'}' does not support field selection`;
    case 'no_such_key':
      if (node?.op === '.' && isOpaque(node.args[0]))
        return `unexpected failed resolution of '${typeOf(node.args[0])?.name}'`;
      return `undefined field '${summary.replace('No such key: ', '')}'`;
    case 'cannot_index_type':
      return `${typeNamesIn(summary.replace('Cannot index type', 'type'))} does not support field selection`;
    case 'no_such_overload':
      return operatorWords(summary);
    case 'no_matching_overload':
      return functionWords(summary, node);
    default:
      return typeNamesIn(WORDED.reduce((words, [theirs, ours]) => words.replace(theirs, ours), summary));
  }
}

function choiceWords(node: ASTNode & { op: '?:' }): string {
  const types = node.args.map(part => typeNamesIn(typeOf(part)?.name ?? 'dyn'));
  return `found no matching overload for '_?_:_' applied to '(${types.join(', ')})'`;
}

const WORDED: readonly (readonly [RegExp, string])[] = [
  [/^Logical operator requires bool operands, got '/, "expected type 'bool' but found '"],
  [/^Expression of type (.*)\.$/, 'expression of type $1'],
  [/^has\(\) invalid argument$/, 'invalid argument to has() macro'],
  [/^Reserved identifier/, 'reserved identifier'],
  [/^Invalid number: Infinity$/, 'invalid double literal'],
  [/^Unexpected character: `$/, "unsupported syntax: '`'"],
];

/** What has no fields that a schema tells of. */
const isOpaque = (node: ASTNode): boolean => typeOf(node)?.name.startsWith('kubernetes.authorization.') === true;

/** Mistakes that are told of brackets as of any other operator. */
const INDEXING: ReadonlySet<string> = new Set(['no_such_key', 'cannot_index_type', 'invalid_index_type']);

function indexWords(node: ASTNode & { op: '[]' }): string {
  const [target, index] = node.args.map(part => typeNamesIn(typeOf(part)?.name ?? 'dyn'));
  return `found no matching overload for '_[_]' applied to '(${target}, ${index})'`;
}

/** `no such overload: int + string` and `no such overload: !int`. */
function operatorWords(summary: string): string {
  const binary = /^no such overload: (.+) (==|!=|<=|>=|<|>|in|\+|-|\*|\/|%) (.+)$/.exec(summary);
  if (binary !== null) {
    const [, left = '', operator = '', right = ''] = binary;
    const name = operator === 'in' ? '@in' : `_${operator}_`;
    return `found no matching overload for '${name}' applied to '(${typeNamesIn(left)}, ${typeNamesIn(right)})'`;
  }
  const unary = /^no such overload: ([!-])(.+)$/.exec(summary);
  return unary === null
    ? summary
    : `found no matching overload for '${unary[1]}_' applied to '(${typeNamesIn(unary[2] ?? '')})'`;
}

/** `found no matching overload for 'string.contains(int)'`, or for a function that nobody declared. */
function functionWords(summary: string, node: ASTNode | undefined): string {
  const name = node?.op === 'call' || node?.op === 'rcall' ? node.args[0] : '';
  const match = /'(?:(.*)\.)?\w+\((.*)\)'$/.exec(summary);
  if (match === null || name === '') return summary;
  if (!DECLARED.has(name)) return undeclared(name);
  const [, receiver, args = ''] = match;
  const target = node?.op === 'rcall' ? (typeOf(node.args[1])?.name ?? receiver) : receiver;
  const applied = target === undefined ? `(${args})` : `${target}.(${args})`;
  return `found no matching overload for '${name}' applied to '${typeNamesIn(applied)}'`;
}

/** Functions that exist, so that a wrong use of one is told from a name that means nothing. */
const DECLARED: ReadonlySet<string> = new Set(
  (
    'size contains startsWith endsWith matches indexOf lastIndexOf substring split join trim lowerAscii upperAscii ' +
    'replace charAt format quote find findAll string int uint double bool bytes timestamp duration type dyn all ' +
    'exists exists_one filter map sum min max isSorted quantity isQuantity sign isInteger asInteger ' +
    'asApproximateFloat add sub isLessThan isGreaterThan compareTo url isURL getScheme getHost getHostname getPort ' +
    'getEscapedPath getQuery ip isIP isCanonical family isUnspecified isLoopback isLinkLocalUnicast ' +
    'isLinkLocalMulticast isGlobalUnicast cidr isCIDR containsIP containsCIDR masked prefixLength semver isSemver ' +
    'major minor patch named validate orValue or value hasValue of none ofNonZeroValue equivalent intersects ' +
    'slice flatten distinct reverse sort sortBy first last range unwrap unwrapOpt path group serviceAccount resource ' +
    'subresource namespace name fieldSelector labelSelector check allowed reason errored error'
  ).split(' '),
);
