// What bindings of admission policies must be: a policy, what a denial does, and where parameters come from.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { selectorErrors } from './match-rules.ts';
import { matchResourcesErrors } from './policies.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const TWICE_TOLD =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** What bindings of mutating policies must be, and all others too. */
export function mutatingBindingErrors(binding: JsonObject): Errors {
  const spec = objectAt(binding, 'spec');
  const name = textAt(spec, 'policyName');
  return [
    ...(name === '' ? [required('spec.policyName')] : subdomainErrors('spec.policyName', name)),
    ...(isObject(spec.paramRef) ? paramRefErrors('spec.paramRef', spec.paramRef) : []),
    ...matchResourcesErrors('spec.matchResources', objectAt(spec, 'matchResources')),
  ];
}

export function policyBindingErrors(binding: JsonObject): Errors {
  const spec = objectAt(binding, 'spec');
  return [
    ...mutatingBindingErrors(binding),
    ...actionsErrors('spec.validationActions', listAt(spec, 'validationActions')),
  ];
}

function actionsErrors(path: string, actions: readonly Json[]): Errors {
  if (actions.length === 0) return [required(path, 'at least one validation action is required')];
  const seen = new Set<Json>();
  const each = actions.flatMap((action, index) => {
    const at = `${path}[${index}]`;
    if (!ACTIONS.some(known => known === action)) return [notSupported(at, action, ACTIONS)];
    if (seen.has(action)) return [duplicate(at, action)];
    seen.add(action);
    return [];
  });
  return seen.has('Deny') && seen.has('Warn') ? [...each, invalid(path, actions, TWICE_TOLD)] : each;
}

function paramRefErrors(path: string, paramRef: JsonObject): Errors {
  const { parameterNotFoundAction: action } = paramRef;
  const [hasName, hasSelector] = [textAt(paramRef, 'name') !== '', isObject(paramRef.selector)];
  const both = 'name and selector are mutually exclusive';
  const at = `${path}.parameterNotFoundAction`;
  return [
    ...(hasName && hasSelector ? ['name', 'selector'].map(key => forbidden(`${path}.${key}`, both)) : []),
    ...(hasName || hasSelector ? [] : [required(path, 'one of name or selector must be specified')]),
    ...selectorErrors(`${path}.selector`, objectAt(paramRef, 'selector')),
    ...(action === undefined || action === null || action === '' ? [required(at)] : []),
    ...(typeof action === 'string' && action !== '' && action !== 'Deny' && action !== 'Allow'
      ? [notSupported(at, action, ['Deny', 'Allow'])]
      : []),
  ];
}
