// Patterns, times and numbers that an expression spells out: one that is none is told of when the expression is
// written, not when it first runs.

import type { ASTNode } from '@marcbachmann/cel-js';
import { patternProblem } from '../patterns.ts';
import { childrenOf } from './children.ts';
import { celTimes } from './environment.ts';
import { drawn } from './error-text.ts';

export interface BadConstant {
  /** Some are checked with the types; others only when a program is made. */
  readonly found: 'when checked' | 'when made';
  readonly text: string;
}

/** Undefined: all that is spelt out is what it must be. */
export function badConstant(source: string, ast: ASTNode): BadConstant | undefined {
  const all = badIn(ast);
  const bad = all.find(({ found }) => found === 'when checked') ?? all[0];
  if (bad === undefined) return undefined;
  const { found, node, problem } = bad;
  if (found === 'when made') return { found, text: `program instantiation failed: ${problem}` };
  return { found, text: `compilation failed: ${drawn(source, node.start, problem)}` };
}

interface Bad {
  readonly found: BadConstant['found'];
  readonly node: ASTNode;
  readonly problem: string;
}

function badIn(ast: ASTNode): readonly Bad[] {
  const own = badCall(ast);
  return [...(own === undefined ? [] : [own]), ...childrenOf(ast).flatMap(badIn)];
}

type Check = (text: string) => string | undefined;

const isTime =
  (kind: 'timestamp' | 'duration'): Check =>
  text => {
    try {
      celTimes()[kind](text);
      return undefined;
    } catch {
      return `invalid ${kind} argument`;
    }
  };

const isWritten =
  (type: string, form: RegExp): Check =>
  text =>
    form.test(text) ? undefined : unreadAs(type);

const unreadAs = (type: string): string => `type conversion error from 'string' to '${type}'`;

const isInt = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

const CHECKED: Readonly<Record<string, Check>> = { timestamp: isTime('timestamp'), duration: isTime('duration') };
const MADE: Readonly<Record<string, Check>> = {
  int: text =>
    isWritten('int', /^[+-]?\d+$/)(text) ?? (isInt(BigInt(text.replace('+', ''))) ? undefined : unreadAs('int')),
  uint: isWritten('uint', /^\d+$/),
  double: isWritten('double', /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)$/i),
  bool: isWritten('bool', /^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/),
};
const PATTERNS: ReadonlySet<string> = new Set(['find', 'findAll']);

function badCall(ast: ASTNode): Bad | undefined {
  if (ast.op === 'call') {
    const [name, args] = ast.args;
    if (name === 'matches') return spelt(args[1], 'when made', patternProblem);
    return (
      spelt(args[0], 'when checked', own(CHECKED, name)) ??
      spelt(args[0], 'when made', own(MADE, name)) ??
      outOfRange(name, args[0])
    );
  }
  if (ast.op !== 'rcall') return undefined;
  const [name, , args] = ast.args;
  if (PATTERNS.has(name)) return spelt(args[0], 'when made', patternProblem);
  return name === 'matches'
    ? spelt(args[0], 'when checked', text =>
        patternProblem(text) === undefined ? undefined : 'invalid matches argument',
      )
    : undefined;
}

/** Numbers that do not fit the type that they are made into. */
function outOfRange(name: string, node: ASTNode | undefined): Bad | undefined {
  const value = numberIn(node);
  if (node === undefined || value === undefined) return undefined;
  const whole = typeof value === 'bigint' ? value : BigInt(Math.trunc(value));
  if (name === 'int' && !isInt(whole)) return { found: 'when made', node, problem: 'integer overflow' };
  const isUnsigned = BigInt.asUintN(64, whole) === whole;
  return name === 'uint' && !isUnsigned
    ? { found: 'when made', node, problem: 'unsigned integer overflow' }
    : undefined;
}

function numberIn(node: ASTNode | undefined): number | bigint | undefined {
  if (node?.op === '-_') {
    const positive = numberIn(node.args);
    return positive === undefined ? undefined : -positive;
  }
  if (node?.op !== 'value') return undefined;
  // Unsigned ones are objects.
  const value: unknown = node.args?.valueOf();
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;
}

const own = (checks: Readonly<Record<string, Check>>, name: string): Check | undefined =>
  Object.hasOwn(checks, name) ? checks[name] : undefined;

function spelt(node: ASTNode | undefined, found: Bad['found'], check: Check | undefined): Bad | undefined {
  if (node?.op !== 'value' || typeof node.args !== 'string') return undefined;
  const problem = check?.(node.args);
  return problem === undefined ? undefined : { found, node, problem };
}
