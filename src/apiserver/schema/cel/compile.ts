// Compiles the rules of one schema: once, when a definition is written or its first object is checked.

import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import type { Json } from '../../parts.ts';
import type { RuleText, Structural } from '../structural.ts';
import { checkedExpression } from './checked.ts';
import { celTimes, ruleEnvironment } from './environment.ts';
import { rulePath } from './field-path.ts';
import type { TypeFields } from './type-checks.ts';
import { type DeclaredTypes, declareTypes } from './types.ts';
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

/** What the rules of one schema may use. */
interface RuleScope {
  readonly environment: Environment;
  readonly fields: TypeFields;
}

const withVariables = (typed: Environment, { name, fields }: DeclaredTypes, oldType: string): RuleScope => ({
  environment: typed.clone().registerVariable('self', name).registerVariable('oldSelf', oldType),
  fields,
});

function compileRule(schema: Structural, text: RuleText, scope: RuleScope): CompiledRule {
  const rule = compile(scope, text.rule, 'bool');
  const message = text.messageExpression.trim() === '' ? undefined : compile(scope, text.messageExpression, 'string');
  return { text, rule, message, fieldPath: rulePath(schema, text.fieldPath) ?? '' };
}

const WRONG_RESULT = {
  bool: 'cel expression must evaluate to a bool',
  string: 'messageExpression must evaluate to a string',
};

const ofMessage = (text: string): string => `messageExpression ${text.replace(/^program /, '')}`;

function compile(scope: RuleScope, source: string, wanted: 'bool' | 'string'): Compiled {
  const prefix = wanted === 'bool' ? 'compilation failed' : 'messageExpression compilation failed';
  const checked = checkedExpression(scope.environment, { source }, scope.fields);
  if (checked.kind === 'refused') return { problem: `${prefix}: ${checked.words}` };
  const { bad, type, run, usesOldSelf, ast } = checked;
  if (bad !== undefined) return { problem: wanted === 'bool' ? bad.text : ofMessage(bad.text) };
  if (type !== wanted && type !== 'dyn') return { problem: WRONG_RESULT[wanted] };
  return { program: { run, usesOldSelf, ast } };
}
