// Expressions of admission: compiled when a configuration is read, run on the objects and the user of a request.

import type { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../parts.ts';
import { ruleEnvironment } from '../schema/cel/environment.ts';
import { errorText, summaryOf, undeclaredText } from '../schema/cel/error-text.ts';
import { Meter, metered } from '../schema/cel/meter.ts';
import { foreignName, rewrite, UNKNOWN_NAMESPACE } from '../schema/cel/rewrite.ts';
import { runtimeWords } from '../schema/cel/rule-errors.ts';
import { type CelValue, untyped } from '../schema/cel/values.ts';
import { registerAuthorizer } from './authorizer-values.ts';

export { Meter };

/** Steps that the expressions of one policy or webhook may take on one request. */
export const STEPS_PER_REQUEST = 1_000_000;

/** The variables of an expression, by name. */
export type Inputs = Readonly<Record<string, CelValue>>;

export type Result = 'bool' | 'string' | 'any';

export interface Expression {
  readonly source: string;
  /** A function, or why there is none. */
  readonly compiled: { readonly run: (inputs: Inputs) => unknown } | { readonly problem: string };
}

/** Which variables there are: all expressions see the objects, the request and the user. */
export type Scope = 'request' | 'policy';

const VARIABLES: Readonly<Record<Scope, readonly string[]>> = {
  request: ['object', 'oldObject', 'request'],
  policy: ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables'],
};

const environments = new Map<Scope, Environment>();

function environmentFor(scope: Scope): Environment {
  const known = environments.get(scope);
  if (known !== undefined) return known;
  const fresh = ruleEnvironment();
  registerAuthorizer(fresh);
  for (const name of VARIABLES[scope]) fresh.registerVariable(name, 'dyn');
  fresh.registerVariable('authorizer', 'authorization.Authorizer');
  fresh.registerVariable('__requestResource', 'authorization.ResourceCheck');
  environments.set(scope, fresh);
  return fresh;
}

/** Compiled when it is first asked for: most that is written is never run. */
export function expression(source: string, wanted: Result, scope: Scope = 'request'): Expression {
  let compiled: Expression['compiled'] | undefined;
  return {
    source,
    get compiled() {
      compiled ??= compile(source, wanted, scope);
      return compiled;
    },
  };
}

function compile(source: string, wanted: Result, scope: Scope): Expression['compiled'] {
  const environment = environmentFor(scope);
  try {
    const { ast } = environment.parse(source);
    const foreign = foreignName(ast);
    if (foreign !== undefined) return failed(undeclaredText(source, UNKNOWN_NAMESPACE, foreign.start));
    const parsed = environment.parse(rewrite(ast).text);
    const { valid, type, error } = parsed.check();
    if (!valid) return failed(errorText(source, environment.check(source).error, error));
    if (wanted !== 'any' && type !== wanted && type !== 'dyn') {
      return { problem: `must evaluate to ${wanted} but got ${type}` };
    }
    return { run: inputs => parsed(inputs) };
  } catch (error) {
    return failed(errorText(source, error, error));
  }
}

const failed = (text: string): { readonly problem: string } => ({ problem: `compilation failed: ${text}` });

export type Evaluated =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly why: string; readonly isOverspent: boolean };

/** Runs it; what goes wrong is told in the words of the real server. */
export function evaluated({ source, compiled }: Expression, inputs: Inputs, meter: Meter): Evaluated {
  if ('problem' in compiled) return { kind: 'failed', why: compiled.problem, isOverspent: false };
  try {
    const value = metered(meter, () => compiled.run(inputs));
    if (meter.isOverspent) return overspent();
    return { kind: 'value', value };
  } catch (error) {
    if (meter.isOverspent) return overspent();
    const why = `expression '${source}' resulted in error: ${runtimeWords(summaryOf(error))}`;
    return { kind: 'failed', why, isOverspent: false };
  }
}

const overspent = (): Evaluated => ({
  kind: 'failed',
  why: 'validation failed due to running out of cost budget, no further validation rules will be run',
  isOverspent: true,
});

/** JSON as expressions see it; what is not there is null. */
export const celOf = (value: Json | undefined): CelValue => (value === undefined ? null : untyped(value));
