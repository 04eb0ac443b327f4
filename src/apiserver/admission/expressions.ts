// Expressions of admission: compiled when a configuration is read, run on the objects and the user of a request.

import type { Environment } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../parts.ts';
import { checkedExpression } from '../schema/cel/checked.ts';
import { ruleEnvironment } from '../schema/cel/environment.ts';
import { summaryOf } from '../schema/cel/error-text.ts';
import { Meter, metered } from '../schema/cel/meter.ts';
import { runtimeWords } from '../schema/cel/rule-errors.ts';
import { fullTypeNamesIn } from '../schema/cel/type-names.ts';
import { type CelValue, untyped } from '../schema/cel/values.ts';
import { registerAuthorizer } from './authorizer-values.ts';
import { declareRequestTypes, type RequestTypes } from './request-types.ts';
import { ESCAPE_KEY_FUNCTION, withMaps } from './struct-literals.ts';

export { Meter };

/** Steps that the expressions of one policy or webhook may take on one request. */
export const STEPS_PER_REQUEST = 1_000_000;

/** The variables of an expression, by name. */
export type Inputs = Readonly<Record<string, CelValue>>;

export type Result = 'bool' | 'string' | 'any';

export interface Problem {
  readonly problem: string;
  /** It compiles, and no program can be made of it. */
  readonly isInternal?: true;
}

const INTERNAL = { isInternal: true } as const;

export interface Expression {
  readonly source: string;
  /** A function, or why there is none. */
  readonly compiled: { readonly run: (inputs: Inputs) => unknown } | Problem;
}

/** Which variables there are: all expressions see the objects, the request and the user. */
export interface Scope {
  readonly kind: 'request' | 'policy';
  readonly hasParams: boolean;
  /** The names behind `variables.`; left out: there is no such thing. */
  readonly variables?: readonly string[];
}

/** Of the match conditions of webhooks. */
export const REQUEST_SCOPE: Scope = { kind: 'request', hasParams: false };

/** What `variables` is: its fields depend on the policy. */
export class PolicyVariables {}

/** Policies are few, and those that were removed may have been many. */
const MAX_KEPT = 200;
const environments = new Map<string, Environment>();
let base: Base | undefined;

/** What all expressions see, and how it is made of JSON. */
interface Base {
  readonly environment: Environment;
  readonly types: RequestTypes;
}

function environmentFor(scope: Scope): Environment {
  const key = JSON.stringify(scope);
  const known = environments.get(key);
  if (known !== undefined) return known;
  const fresh = newEnvironment(scope);
  if (environments.size >= MAX_KEPT) environments.clear();
  environments.set(key, fresh);
  return fresh;
}

function newEnvironment({ kind, hasParams, variables }: Scope): Environment {
  const { environment: common, types } = baseOfAll();
  const environment = common.clone();
  if (kind === 'policy') environment.registerVariable('namespaceObject', types.namespace.name);
  if (hasParams) environment.registerVariable('params', 'dyn');
  if (variables !== undefined) {
    const fields = Object.fromEntries(variables.map(name => [name, 'dyn']));
    environment.registerType('admission.Variables', { ctor: PolicyVariables, fields });
    environment.registerVariable('variables', 'admission.Variables');
  }
  return environment;
}

function baseOfAll(): Base {
  base ??= newBase();
  return base;
}

function newBase(): Base {
  const environment = ruleEnvironment();
  const types = declareRequestTypes(environment);
  environment.registerFunction(`${ESCAPE_KEY_FUNCTION}(string): string`, escapedKey, { async: false });
  registerAuthorizer(environment);
  for (const name of ['object', 'oldObject']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('request', types.request.name);
  environment.registerVariable('authorizer', 'kubernetes.authorization.Authorizer');
  return { environment, types };
}

/** A key as one step of a JSON pointer. */
const escapedKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Compiled when it is first asked for: most that is written is never run. */
export function expression(source: string, wanted: Result, scope: Scope = REQUEST_SCOPE): Expression {
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
  const checked = checkedExpression(
    environmentFor(scope),
    { source, text: withMaps(source) },
    baseOfAll().types.fields,
  );
  if (checked.kind === 'refused') return { problem: `compilation failed: ${checked.words}` };
  const { bad, type, run } = checked;
  if (bad !== undefined) return { problem: bad.text, ...(bad.found === 'when made' ? INTERNAL : {}) };
  if (wanted !== 'any' && type !== wanted && !isOpen(type, scope))
    return { problem: `must evaluate to ${wanted} but got ${typeNamed(type)}` };
  return { run };
}

/** A variable has the type of its expression, which is only known when it runs. */
const isOpen = (type: string | undefined, { variables }: Scope): boolean => type === 'dyn' && variables !== undefined;

const typeNamed = (type: string): string => (type === 'null' ? 'null_type' : fullTypeNamesIn(type));

export type Evaluated =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'failed';
      readonly why: string;
      /** Without the expression in which it happened. */
      readonly reason?: string;
    };

/** Runs it; what goes wrong is told in the words of the real server. */
export function evaluated({ source, compiled }: Expression, inputs: Inputs, meter: Meter): Evaluated {
  if ('problem' in compiled) return { kind: 'failed', why: compiled.problem };
  try {
    const value = metered(meter, () => compiled.run(inputs));
    if (meter.isOverspent) return overspent();
    return { kind: 'value', value };
  } catch (error) {
    if (meter.isOverspent) return overspent();
    const reason = runtimeWords(summaryOf(error));
    return { kind: 'failed', why: `expression '${source}' resulted in error: ${reason}`, reason };
  }
}

const overspent = (): Evaluated => ({
  kind: 'failed',
  why: 'validation failed due to running out of cost budget, no further validation rules will be run',
});

/** JSON as expressions see it; what is not there is null. */
export const celOf = (value: Json | undefined): CelValue => (value === undefined ? null : untyped(value));

export const celOfRequest = (request: JsonObject): CelValue => baseOfAll().types.request.toCel(request);

/** Null where the request is in none. */
export const celOfNamespace = (namespace: JsonObject | undefined): CelValue =>
  namespace === undefined ? null : baseOfAll().types.namespace.toCel(namespace);
