// Writes an expression anew, with what the library lacks put in: a linear `matches`, a meter in every loop, `has`
// on any expression, and the macros of optionals.

import type { ASTNode } from '@marcbachmann/cel-js';

/** A name that the library has and Kubernetes does not. */
export const UNKNOWN_NAMESPACE = 'cel';

/** An expression that the library can check and run. */
export interface Rewritten {
  readonly text: string;
  readonly usesOldSelf: boolean;
}

/** Where the expression uses a name that only this library knows; undefined: nowhere. */
export function foreignName(ast: ASTNode): ASTNode | undefined {
  if (ast.op === 'id' && ast.args === UNKNOWN_NAMESPACE) return ast;
  for (const child of childrenOf(ast)) {
    const found = foreignName(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function rewrite(ast: ASTNode): Rewritten {
  return { text: print(ast), usesOldSelf: mentions(ast, 'oldSelf') };
}

/** Loops over a list or the keys of a map, whose last argument runs once per element. */
const LOOPS: Readonly<Record<string, string>> = {
  all: 'all',
  exists: 'exists',
  exists_one: 'exists_one',
  existsOne: 'exists_one',
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
      return `[${node.args.map(print).join(', ')}]`;
    case 'map':
      return `{${node.args.map(([key, value]) => `${print(key)}: ${print(value)}`).join(', ')}}`;
    default:
      return printOperator(node);
  }
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
  return `${name}(${args.map(print).join(', ')})`;
}

function printMethod(name: string, receiver: ASTNode, args: readonly ASTNode[]): string {
  const [first, second, third] = args;
  const target = printReceiver(receiver);
  if (first?.op === 'id' && second !== undefined) {
    const loop = LOOPS[name];
    if (loop !== undefined && args.length === 2) return `${target}.${loop}(${first.args}, ${metered(second)})`;
    if (name === 'map') return printMap(target, first.args, { second, third });
    if (name === 'optMap' || name === 'optFlatMap')
      return printOptional(name, target, { variable: first.args, body: second });
  }
  const method = name === 'matches' && args.length === 1 ? '__matches' : name;
  return `${target}.${method}(${args.map(print).join(', ')})`;
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

export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

const weightOf = (node: ASTNode): number => 1 + childrenOf(node).reduce((sum, child) => sum + weightOf(child), 0);

const mentions = (node: ASTNode, name: string): boolean =>
  (node.op === 'id' && node.args === name) || childrenOf(node).some(child => mentions(child, name));
