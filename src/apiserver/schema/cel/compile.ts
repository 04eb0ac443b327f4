// Compiles the rules of one schema: once, when a definition is written or its first object is checked.

import type { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../../parts.ts';
import type { RuleText, Structural } from '../structural.ts';
import { celTimes, ruleEnvironment } from './environment.ts';
import { rulePath } from './field-path.ts';
import { rewrite } from './rewrite.ts';
import { type Declared, declareTypes } from './types.ts';
import type { CelValue } from './values.ts';

/** The variables of a rule. */
export interface Variables {
  readonly self: CelValue;
  readonly oldSelf?: CelValue;
}

export interface Program {
  run(variables: Variables): unknown;
  readonly usesOldSelf: boolean;
}

/** A program, or why there is none. */
export type Compiled = { readonly program: Program } | { readonly problem: string };

export interface CompiledRule {
  readonly text: RuleText;
  readonly rule: Compiled;
  readonly message: Compiled | undefined;
  /** Below the value that the rule stands on: `.replicas`; empty when the rule names no path. */
  readonly fieldPath: string;
}

export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  toCel(value: Json): CelValue;
}

const known = new WeakMap<Structural, CompiledRules>();
const knownRoots = new WeakMap<Structural, CompiledRules>();

/** At the root a rule sees kind, version and names too. */
export function compiledRules(schema: Structural, place: 'root' | 'below'): CompiledRules {
  const cache = place === 'root' ? knownRoots : known;
  const before = cache.get(schema);
  if (before !== undefined) return before;
  const fresh = compileAll(place === 'root' ? { ...schema, embedded: true } : schema);
  cache.set(schema, fresh);
  return fresh;
}

function compileAll(schema: Structural): CompiledRules {
  const typed = ruleEnvironment();
  const declared = declareTypes(typed, schema, celTimes());
  const plain = withVariables(typed, declared, declared.name);
  const optional = withVariables(typed, declared, `optional<${declared.name}>`);
  const rules = schema.rules.map(text => compileRule(schema, text, text.optionalOldSelf === true ? optional : plain));
  return { rules, toCel: value => declared.toCel(value) };
}

const withVariables = (typed: Environment, declared: Declared, oldType: string): Environment =>
  typed.clone().registerVariable('self', declared.name).registerVariable('oldSelf', oldType);

function compileRule(schema: Structural, text: RuleText, environment: Environment): CompiledRule {
  const rule = compile(environment, text.rule, 'bool');
  const message =
    text.messageExpression.trim() === '' ? undefined : compile(environment, text.messageExpression, 'string');
  return { text, rule, message, fieldPath: rulePath(schema, text.fieldPath) ?? '' };
}

const WRONG_RESULT = {
  bool: 'cel expression must evaluate to a bool',
  string: 'messageExpression must evaluate to a string',
};

function compile(environment: Environment, source: string, wanted: 'bool' | 'string'): Compiled {
  const prefix = wanted === 'bool' ? 'compilation failed' : 'messageExpression compilation failed';
  try {
    const { text, usesOldSelf } = rewrite(environment.parse(source).ast);
    const parsed = environment.parse(text);
    const { valid, type, error } = parsed.check();
    if (!valid) return { problem: `${prefix}: ${located(source, text, error)}` };
    if (type !== wanted && type !== 'dyn') return { problem: WRONG_RESULT[wanted] };
    return { program: { run: variables => parsed(variables), usesOldSelf } };
  } catch (error) {
    return { problem: `${prefix}: ${located(source, source, error)}` };
  }
}

/** As CEL prints an error: where, what, and the line with a mark under the place. */
function located(source: string, compiled: string, error: unknown): string {
  const { summary, start, end } = partsOf(error);
  const fragment = compiled.slice(start, end);
  const offset = source === compiled ? start : Math.max(0, source.indexOf(fragment));
  const before = source.slice(0, offset).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = source.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${summary}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

function partsOf(error: unknown): { readonly summary: string; readonly start: number; readonly end: number } {
  const summary = summaryOf(error);
  const range = typeof error === 'object' && error !== null && 'range' in error ? error.range : undefined;
  const [start, end] = ['start', 'end'].map(key => numberIn(range, key));
  return { summary: inWordsOfCel(summary), start: start ?? 0, end: end ?? 0 };
}

function numberIn(value: unknown, key: string): number {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'number' ? found : 0;
}

/** What went wrong, without the library's drawing of the source. */
export function summaryOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'summary' in error && typeof error.summary === 'string')
    return error.summary;
  return error instanceof Error ? error.message : String(error);
}

/** The library's words for the errors that rule authors meet most, in those of Kubernetes. */
function inWordsOfCel(summary: string): string {
  const missing = /^No such key: (.*)$/.exec(summary);
  if (missing !== null) return `undefined field '${missing[1]}'`;
  const unknown = /^Unknown variable: (.*)$/.exec(summary);
  return unknown === null ? summary : `undeclared reference to '${unknown[1]}' (in container '')`;
}
