// What ValidatingAdmissionPolicies must be: rules, and expressions that compile.

import type { Scope } from '../../admission/expressions.ts';
import { conditionScopeOf, scopeOf, variableScopeOf } from '../../admission/policies.ts';
import type { JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { compileErrors, conditionsErrors, oneOf, ruleErrors, selectorErrors } from './match-rules.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const CEL_IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const DNS_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const KIND_TEXT =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const NOTHING_TO_SAY = 'validations or auditAnnotations must contain at least one item';

export function policyErrors(policy: JsonObject): Errors {
  const spec = objectAt(policy, 'spec');
  const validations = listAt(spec, 'validations').filter(isObject);
  const annotations = listAt(spec, 'auditAnnotations').filter(isObject);
  const saysNothing = validations.length === 0 && annotations.length === 0;
  return [
    ...commonErrors(spec),
    ...(saysNothing ? ['spec.validations', 'spec.auditAnnotations'].map(path => required(path, NOTHING_TO_SAY)) : []),
    ...validations.flatMap((each, index) => validationErrors(`spec.validations[${index}]`, each, scopeOf(spec))),
    ...annotations.flatMap((each, index) => annotationErrors(`spec.auditAnnotations[${index}]`, each)),
  ];
}

/** Of validating and mutating policies. */
export function commonErrors(spec: JsonObject): Errors {
  const variables = listAt(spec, 'variables').filter(isObject);
  return [
    ...oneOf('spec.failurePolicy', spec.failurePolicy ?? 'Fail', ['Fail', 'Ignore']),
    ...(isObject(spec.paramKind) ? paramKindErrors('spec.paramKind', spec.paramKind) : []),
    ...constraintsErrors('spec.matchConstraints', spec.matchConstraints),
    ...conditionsErrors('spec.matchConditions', listAt(spec, 'matchConditions'), conditionScopeOf(spec)),
    ...variables.flatMap((each, index) =>
      variableErrors(`spec.variables[${index}]`, each, variableScopeOf(spec, index)),
    ),
  ];
}

function paramKindErrors(path: string, paramKind: JsonObject): Errors {
  const [version, kind] = [textAt(paramKind, 'apiVersion'), textAt(paramKind, 'kind')];
  const wrongKind = DNS_LABEL.test(kind.toLowerCase()) ? [] : [invalid(`${path}.kind`, kind, KIND_TEXT)];
  const at = `${path}.apiVersion`;
  const isVersion = version.split('/').length <= 2;
  const wrongVersion = isVersion ? [] : [invalid(at, version, `unexpected GroupVersion string: ${version}`)];
  return [
    ...(version === '' ? [required(at)] : wrongVersion),
    ...(kind === '' ? [required(`${path}.kind`)] : wrongKind),
  ];
}

function constraintsErrors(path: string, constraints: JsonObject[string] | undefined): Errors {
  if (!isObject(constraints)) return [required(path)];
  const isEmpty = listAt(constraints, 'resourceRules').length === 0;
  return [...(isEmpty ? [required(`${path}.resourceRules`)] : []), ...matchResourcesErrors(path, constraints)];
}

/** Of a policy, or of a binding. */
export function matchResourcesErrors(path: string, resources: JsonObject): Errors {
  const rules = (key: string): Errors =>
    listAt(resources, key)
      .filter(isObject)
      .flatMap((rule, index) => ruleErrors(`${path}.${key}[${index}]`, rule));
  return [
    ...oneOf(`${path}.matchPolicy`, resources.matchPolicy ?? 'Equivalent', ['Equivalent', 'Exact']),
    ...selectorErrors(`${path}.namespaceSelector`, objectAt(resources, 'namespaceSelector')),
    ...selectorErrors(`${path}.objectSelector`, objectAt(resources, 'objectSelector')),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

function variableErrors(path: string, variable: JsonObject, scope: Scope): Errors {
  const [name, source] = [textAt(variable, 'name'), textAt(variable, 'expression')];
  const wrongName = CEL_IDENTIFIER.test(name) ? [] : [invalid(`${path}.name`, name, 'must be a valid CEL identifier')];
  const at = `${path}.expression`;
  return [
    ...(name === '' ? [required(`${path}.name`, 'name is not specified')] : wrongName),
    ...(source.trim() === '' ? [required(at, 'expression is not specified')] : compileErrors(at, source, 'any', scope)),
  ];
}

function validationErrors(path: string, validation: JsonObject, scope: Scope): Errors {
  const source = textAt(validation, 'expression');
  const messageSource = textAt(validation, 'messageExpression');
  const { reason } = validation;
  const at = `${path}.expression`;
  return [
    ...(source.trim() === ''
      ? [required(at, 'expression is not specified')]
      : compileErrors(at, source, 'bool', scope)),
    ...(messageSource === '' ? [] : compileErrors(`${path}.messageExpression`, messageSource, 'string', scope)),
    ...messageErrors(`${path}.message`, textAt(validation, 'message')),
    ...(reason === undefined || reason === null ? [] : oneOf(`${path}.reason`, reason, REASONS)),
  ];
}

function messageErrors(path: string, message: string): Errors {
  if (message === '') return [];
  if (message.trim() === '') return [invalid(path, message, 'must be non-empty if specified')];
  return /[\r\n]/.test(message.trim()) ? [invalid(path, message, 'must not contain line breaks')] : [];
}

function annotationErrors(path: string, annotation: JsonObject): Errors {
  const key = textAt(annotation, 'key');
  const isMissing = textAt(annotation, 'valueExpression').trim() === '';
  return [
    ...(key === '' ? [required(`${path}.key`)] : qualifiedNameErrors(`${path}.key`, key)),
    ...(isMissing ? [required(`${path}.valueExpression`, 'valueExpression is not specified')] : []),
  ];
}
