// Compiles the rules of one schema: once, when a definition is written or its first object is checked.

import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import type { Json } from '../../parts.ts';
import type { RuleText, Structural } from '../structural.ts';
import { badConstant } from './constants.ts';
import { celTimes, ruleEnvironment } from './environment.ts';
import { errorText, undeclaredText } from './error-text.ts';
import { rulePath } from './field-path.ts';
import { foreignName, rewrite } from './rewrite.ts';
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
  /** As its author wrote it: what it may cost is estimated by this. */
  readonly ast: ASTNode;
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

const ofMessage = (text: string): string => `messageExpression ${text.replace(/^program /, '')}`;

function compile(environment: Environment, source: string, wanted: 'bool' | 'string'): Compiled {
  const prefix = wanted === 'bool' ? 'compilation failed' : 'messageExpression compilation failed';
  try {
    const { ast } = environment.parse(source);
    const foreign = foreignName(source, ast);
    if (foreign !== undefined) return { problem: `${prefix}: ${undeclaredText(source, foreign.name, foreign.start)}` };
    const { text, usesOldSelf } = rewrite(ast);
    const parsed = environment.parse(text);
    const { valid, type, error } = parsed.check();
    // The rewritten text is what must compile; the original one knows the places that the author knows.
    if (!valid) return { problem: `${prefix}: ${errorText(source, environment.check(source).error, error)}` };
    const bad = badConstant(source, ast);
    if (bad !== undefined) return { problem: wanted === 'bool' ? bad.text : ofMessage(bad.text) };
    if (type !== wanted && type !== 'dyn') return { problem: WRONG_RESULT[wanted] };
    return { program: { run: variables => parsed(variables), usesOldSelf, ast } };
  } catch (error) {
    return { problem: `${prefix}: ${errorText(source, error, error)}` };
  }
}
