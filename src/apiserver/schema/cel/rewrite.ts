// Writes an expression anew, with what the library lacks put in: a linear `matches`, a meter in every loop, `has`
// on any expression, and the macros of optionals.

import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf } from './children.ts';
import { typeOf } from './macro.ts';
import { isOptional } from './optional-literals.ts';
import { isLoopOfTwoOnly, isTwoVariableLoop } from './two-variables.ts';

/** An expression that the library can check and run. */
export interface Rewritten {
  readonly text: string;
  readonly usesOldSelf: boolean;
}

export interface Foreign {
  readonly name: string;
  readonly start: number;
}

/** Where the expression uses what only this library knows, or a loop with too few parts; undefined: nowhere. */
export function foreignName(source: string, ast: ASTNode): Foreign | undefined {
  if (ast.op === 'id' && ast.args === 'cel') return { name: ast.args, start: ast.start };
  for (const child of childrenOf(ast)) {
    const found = foreignName(source, child);
    if (found !== undefined) return found;
  }
  if (ast.op !== 'rcall' || !isLoopOfTwoOnly(ast.args[0]) || isTwoVariableLoop(ast.args[0], ast.args[2]))
    return undefined;
  const [name, receiver] = ast.args;
  return { name, start: source.indexOf('(', source.indexOf(name, receiver.end)) };
}

export function rewrite(ast: ASTNode): Rewritten {
  return { text: print(ast), usesOldSelf: mentions(ast, 'oldSelf') };
}

/** Methods that the library has too, by the numbers of their arguments: ours stand under another name. */
const OURS: Readonly<Record<string, readonly number[]>> = {
  matches: [1],
  substring: [1, 2],
  indexOf: [1, 2],
  lastIndexOf: [1, 2],
  split: [1, 2],
  lowerAscii: [0],
  upperAscii: [0],
};

/** Loops over a list or the keys of a map, whose last argument runs once per element. */
const LOOPS: Readonly<Record<string, string>> = {
  all: 'all',
  exists: 'exists',
  exists_one: 'exists_one',
  filter: 'filter',
};

function print(node: ASTNode): string {
  switch (node.op) {
    case 'value':
      return literal(node.args);
    case 'id':
      return node.args;
    case '.':
      return `(${print(node.args[0])}).${node.args[1]}`;
    case '.?':
      return `(${print(node.args[0])}).?${node.args[1]}`;
    case '[]':
      return `(${print(node.args[0])})[${print(node.args[1])}]`;
    case '[?]':
      return `(${print(node.args[0])})[?${print(node.args[1])}]`;
    case 'call':
      return printCall(node.args[0], node.args[1]);
    case 'rcall':
      return printMethod(node.args[0], node.args[1], node.args[2]);
    case 'list':
      return printList(node.args);
    case 'map':
      return printEntries(node.args);
    default:
      return printOperator(node);
  }
}

/** An optional item is a list of one or none. */
function printList(items: readonly ASTNode[]): string {
  if (!items.some(isOptional)) return `[${items.map(print).join(', ')}]`;
  return `(${items.map(item => (isOptional(item) ? `(${print(item)}).__listed()` : `[${print(item)}]`)).join(' + ')})`;
}

type Entry = readonly [ASTNode, ASTNode];

/** Of entries of which some are optional all are. */
function printEntries(entries: readonly Entry[]): string {
  if (!entries.some(([key]) => isOptional(key)))
    return `{${entries.map(([key, value]) => `${print(key)}: ${print(value)}`).join(', ')}}`;
  const pairs = entries.map(([key, value]) => {
    const held = isOptional(key) ? print(value) : `optional.of(${print(value)})`;
    return `[${print(key)}, ${held}]`;
  });
  return `__entries([${pairs.join(', ')}])`;
}

function printOperator(node: ASTNode): string {
  switch (node.op) {
    case '!_':
      return `!(${print(node.args)})`;
    case '-_':
      return `-(${print(node.args)})`;
    case '?:':
      return `(${print(node.args[0])}) ? (${print(node.args[1])}) : (${print(node.args[2])})`;
    default:
      return printBinary(node);
  }
}

function printBinary(node: ASTNode): string {
  const operands = childrenOf(node).map(child => `(${print(child)})`);
  return operands.join(` ${node.op} `);
}

/** `has(e.f)` holds for any `e`; the library knows plain paths only. */
function printCall(name: string, args: readonly ASTNode[]): string {
  const [first, second] = args;
  if (name === 'has' && args.length === 1 && first?.op === '.') {
    const target = print(first.args[0]);
    // The second half never runs: it lets the type checker see whether there is such a field.
    return `(__has(${target}, ${JSON.stringify(first.args[1])}) || (false && __never((${target}).${first.args[1]})))`;
  }
  if (name === 'matches' && first !== undefined && second !== undefined) return printMethod(name, first, [second]);
  const isDouble = name === 'string' && first !== undefined && typeOf(first)?.name === 'double';
  return `${isDouble ? '__string' : name}(${args.map(print).join(', ')})`;
}

function printMethod(name: string, receiver: ASTNode, args: readonly ASTNode[]): string {
  const [first, second] = args;
  const target = printReceiver(receiver);
  // These meter themselves.
  const isMetered = name === 'sortBy' || isTwoVariableLoop(name, args);
  if (!isMetered && first?.op === 'id' && second !== undefined) {
    const printed = printLoop(name, target, first.args, args.slice(1));
    if (printed !== undefined) return printed;
  }
  const method = OURS[name]?.includes(args.length) === true ? `__${name}` : name;
  return `${target}.${method}(${args.map(print).join(', ')})`;
}

function printLoop(name: string, target: string, variable: string, parts: readonly ASTNode[]): string | undefined {
  const [second, third] = parts;
  if (second === undefined) return undefined;
  const loop = LOOPS[name];
  if (loop !== undefined && parts.length === 1) return `${target}.${loop}(${variable}, ${metered(second)})`;
  if (name === 'map') return printMap(target, variable, { second, third });
  if (name === 'optMap' || name === 'optFlatMap') return printOptional(name, target, { variable, body: second });
  return undefined;
}

/** Namespaces such as `cel` and `sets` must stand bare. */
const printReceiver = (receiver: ASTNode): string => (receiver.op === 'id' ? receiver.args : `(${print(receiver)})`);

/** The meter is asked before the body runs: once it has stopped, no further body does. */
const metered = (body: ASTNode): string => `__spend(${weightOf(body)}) ? (${print(body)}) : false`;

function printMap(
  target: string,
  variable: string,
  { second, third }: { second: ASTNode; third: ASTNode | undefined },
): string {
  if (third !== undefined) return `${target}.map(${variable}, ${metered(second)}, ${print(third)})`;
  return `${target}.map(${variable}, __spend(${weightOf(second)}), ${print(second)})`;
}

function printOptional(name: string, target: string, { variable, body }: { variable: string; body: ASTNode }): string {
  const inner = `cel.bind(${variable}, __optional.value(), ${print(body)})`;
  const present = name === 'optMap' ? `optional.of(${inner})` : inner;
  return `cel.bind(__optional, ${target}, __optional.hasValue() ? ${present} : optional.none())`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && !String(value).includes('e') ? `${value}.0` : String(value);
  if (value instanceof Uint8Array) {
    return `b"${[...value].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
  }
  // What is left is a plain word, or an unsigned integer, whose literal ends in u.
  return typeof value === 'object' && value !== null ? `${value}u` : String(value);
}

const weightOf = (node: ASTNode): number => 1 + childrenOf(node).reduce((sum, child) => sum + weightOf(child), 0);

const mentions = (node: ASTNode, name: string): boolean =>
  (node.op === 'id' && node.args === name) || childrenOf(node).some(child => mentions(child, name));
