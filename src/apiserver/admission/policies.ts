// The admission policies that are configured now, each with its bindings: read once per change of one of them.

import type { JsonObject, Stored } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';
import { type Condition, conditionsIn } from './conditions.ts';
import { type Expression, expression, type Scope } from './expressions.ts';
import { type MatchRules, matchRulesIn } from './rules.ts';

export interface Policy {
  readonly name: string;
  readonly match: MatchRules;
  readonly conditions: readonly Condition[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Undefined: the policy takes no parameters. */
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly variables: readonly Variable[];
  readonly validations: readonly Validation[];
  readonly bindings: readonly Binding[];
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
export function policiesIn(stored: Stored): readonly Policy[] {
  const bindings = stored.list(`validatingadmissionpolicybindings.${GROUP}`);
  return stored
    .list(`validatingadmissionpolicies.${GROUP}`)
    .map(policy =>
      policyOf(
        policy,
        bindings.filter(binding => isBoundTo(binding, policy)),
      ),
    )
    .filter(policy => policy.bindings.length > 0);
}

const nameOf = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'name');

const isBoundTo = (binding: JsonObject, policy: JsonObject): boolean =>
  stringAt(objectAt(binding, 'spec'), 'policyName') === nameOf(policy);

function policyOf(policy: JsonObject, bindings: readonly JsonObject[]): Policy {
  const spec = objectAt(policy, 'spec');
  const constraints = objectAt(spec, 'matchConstraints');
  const scope = scopeOf(spec);
  return {
    name: nameOf(policy),
    match: matchRulesIn(constraints, listAt(constraints, 'resourceRules')),
    conditions: conditionsIn(spec, conditionScopeOf(spec)),
    failurePolicy: spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: paramKindIn(spec),
    variables: variablesIn(spec),
    validations: listAt(spec, 'validations')
      .filter(isObject)
      .map(validation => validationOf(validation, scope)),
    bindings: bindings.map(bindingOf),
  };
}

function paramKindIn({ paramKind }: JsonObject): Policy['paramKind'] {
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
