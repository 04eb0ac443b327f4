// Whether a policy and its binding are about a request, and what their expressions then see.

import type { JsonObject, Resource } from '../parts.ts';
import { celOf, celOfNamespace, type Inputs } from './expressions.ts';
import type { Binding, PolicyBase } from './policies.ts';
import { type AdmissionRequest, inputsOf, labelledBy, nameOf, namespaceOf } from './request.ts';
import { type MatchRules, matchedAs, selects } from './rules.ts';
import { variablesFor } from './variables.ts';

/** As which resource the policy is about the request; undefined: it is not. */
export function matchedPolicy({ match }: PolicyBase, request: AdmissionRequest): Resource | undefined {
  const matched = matchedBy(match, request);
  return matched !== undefined && selects(match, labelledBy(request)) ? matched : undefined;
}

/** A binding without rules takes all that its policy takes. */
export function isBound({ match }: Binding, request: AdmissionRequest): boolean {
  const takesAll = match.rules.length === 0 && match.excluded.length === 0;
  return (takesAll || matchedBy(match, request) !== undefined) && selects(match, labelledBy(request));
}

function matchedBy(match: MatchRules, request: AdmissionRequest): Resource | undefined {
  const { call, operation } = request;
  const { resource, path, core } = call;
  const target = { resource, subresource: path.subresource, operation, name: nameOf(request) };
  return matchedAs(match, target, () => core.registry.equivalentsOf(resource, path.subresource));
}

export function policyInputs(
  request: AdmissionRequest,
  policy: PolicyBase,
  matched: Resource,
  params: JsonObject | undefined,
): Inputs {
  const base: Inputs = {
    ...inputsOf(request, matched),
    namespaceObject: celOfNamespace(namespaceOf(request.call)),
    params: celOf(params),
  };
  return { ...base, variables: variablesFor(policy, base) };
}
