// The admission policies that are configured now, each with its bindings: read once per change of one of them.

import type { JsonObject, Stored } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';
import { type Condition, conditionsIn } from './conditions.ts';
import { type Expression, expression, type Scope } from './expressions.ts';
import { type MatchRules, matchRulesIn } from './rules.ts';

/** What validating and mutating policies have in common. */
export interface PolicyBase {
  readonly name: string;
  readonly match: MatchRules;
  readonly conditions: readonly Condition[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Undefined: the policy takes no parameters. */
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly variables: readonly Variable[];
  readonly bindings: readonly Binding[];
}

export interface Policy extends PolicyBase {
  readonly validations: readonly Validation[];
}

export interface MutatingPolicy extends PolicyBase {
  readonly mutations: readonly Mutation[];
  readonly isReinvoked: boolean;
}

/** A JSON patch, or an object that is applied over the one of the request. */
export interface Mutation {
  readonly kind: 'patch' | 'apply';
  readonly made: Expression;
}

export interface Variable {
  readonly name: string;
  readonly value: Expression;
}

export interface Validation {
  readonly holds: Expression;
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  /** Empty: the usual one. */
  readonly reason: string;
}

export interface Binding {
  readonly name: string;
  readonly match: MatchRules;
  readonly actions: readonly string[];
  readonly paramRef: JsonObject | undefined;
}

const GROUP = 'admissionregistration.k8s.io';

/** Those that are bound, by name. */
export const policiesIn = (stored: Stored): readonly Policy[] =>
  boundIn(stored, 'validating', (base, spec) => ({
    ...base,
    validations: listAt(spec, 'validations')
      .filter(isObject)
      .map(validation => validationOf(validation, scopeOf(spec))),
  }));

export const mutatingPoliciesIn = (stored: Stored): readonly MutatingPolicy[] =>
  boundIn(stored, 'mutating', (base, spec) => ({
    ...base,
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
    mutations: listAt(spec, 'mutations')
      .filter(isObject)
      .map(mutation => mutationOf(mutation, scopeOf(spec))),
  }));

function boundIn<T extends PolicyBase>(
  stored: Stored,
  kind: 'validating' | 'mutating',
  made: (base: PolicyBase, spec: JsonObject) => T,
): readonly T[] {
  const bindings = stored.list(`${kind}admissionpolicybindings.${GROUP}`);
  return stored
    .list(`${kind}admissionpolicies.${GROUP}`)
    .map(policy => {
      const own = bindings.filter(binding => isBoundTo(binding, policy));
      return made(policyOf(policy, own), objectAt(policy, 'spec'));
    })
    .filter(policy => policy.bindings.length > 0);
}

const nameOf = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'name');

const isBoundTo = (binding: JsonObject, policy: JsonObject): boolean =>
  stringAt(objectAt(binding, 'spec'), 'policyName') === nameOf(policy);

function policyOf(policy: JsonObject, bindings: readonly JsonObject[]): PolicyBase {
  const spec = objectAt(policy, 'spec');
  const constraints = objectAt(spec, 'matchConstraints');
  return {
    name: nameOf(policy),
    match: matchRulesIn(constraints, listAt(constraints, 'resourceRules')),
    conditions: conditionsIn(spec, conditionScopeOf(spec)),
    failurePolicy: spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: paramKindIn(spec),
    variables: variablesIn(spec),
    bindings: bindings.map(bindingOf),
  };
}

function mutationOf(mutation: JsonObject, scope: Scope): Mutation {
  const isPatch = mutation.patchType === 'JSONPatch';
  const holder = objectAt(mutation, isPatch ? 'jsonPatch' : 'applyConfiguration');
  return { kind: isPatch ? 'patch' : 'apply', made: expression(stringAt(holder, 'expression'), 'any', scope) };
}

function paramKindIn({ paramKind }: JsonObject): PolicyBase['paramKind'] {
  if (!isObject(paramKind)) return undefined;
  return { apiVersion: stringAt(paramKind, 'apiVersion'), kind: stringAt(paramKind, 'kind') };
}

/** What the validations of this policy see. */
export function scopeOf(spec: JsonObject): Scope {
  const names = listAt(spec, 'variables')
    .filter(isObject)
    .map(variable => stringAt(variable, 'name'));
  return { ...conditionScopeOf(spec), ...(names.length === 0 ? {} : { variables: names }) };
}

/** Match conditions come before the variables. */
export const conditionScopeOf = (spec: JsonObject): Scope => ({
  kind: 'policy',
  hasParams: isObject(spec.paramKind),
});

/** A variable sees those before it. */
export function variableScopeOf(spec: JsonObject, index: number): Scope {
  const scope = scopeOf(spec);
  return { ...scope, variables: (scope.variables ?? []).slice(0, index) };
}

function variablesIn(spec: JsonObject): readonly Variable[] {
  return listAt(spec, 'variables')
    .filter(isObject)
    .map((variable, index) => ({
      name: stringAt(variable, 'name'),
      value: expression(stringAt(variable, 'expression'), 'any', variableScopeOf(spec, index)),
    }));
}

function validationOf(validation: JsonObject, scope: Scope): Validation {
  const messageExpression = stringAt(validation, 'messageExpression');
  return {
    holds: expression(stringAt(validation, 'expression'), 'bool', scope),
    message: stringAt(validation, 'message').trim(),
    messageExpression: messageExpression === '' ? undefined : expression(messageExpression, 'string', scope),
    reason: stringAt(validation, 'reason'),
  };
}

function bindingOf(binding: JsonObject): Binding {
  const spec = objectAt(binding, 'spec');
  const resources = objectAt(spec, 'matchResources');
  return {
    name: nameOf(binding),
    match: matchRulesIn(resources, listAt(resources, 'resourceRules')),
    actions: stringsAt(spec, 'validationActions'),
    paramRef: isObject(spec.paramRef) ? spec.paramRef : undefined,
  };
}
