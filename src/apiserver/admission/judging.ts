// Admission policies: each binding of a policy that is about a request decides, and says what its decision does.

import { forbidden, Refusal } from '../answer/status.ts';
import { subjectOf } from '../core.ts';
import type { Resource } from '../parts.ts';
import { judge } from './conditions.ts';
import { type Evaluated, evaluated, type Inputs, Meter, STEPS_PER_REQUEST } from './expressions.ts';
import { parametersOf } from './parameters.ts';
import type { Binding, Policy, Validation } from './policies.ts';
import { isBound, matchedPolicy, policyInputs } from './policy-matching.ts';
import { type AdmissionRequest, nameOf } from './request.ts';

/** Denies by throwing; where a binding only warns, the answer carries the warning. */
export function judgedByPolicies(request: AdmissionRequest, policies: readonly Policy[]): void {
  let denial: Refusal | undefined;
  for (const policy of policies) {
    const matched = matchedPolicy(policy, request);
    if (matched === undefined) continue;
    for (const binding of policy.bindings) {
      if (isBound(binding, request)) denial ??= judgedByBinding(request, policy, binding, matched);
    }
  }
  if (denial !== undefined) throw denial;
}

/** What is wrong, in words and in the reason of a Status. */
interface Objection {
  readonly message: string;
  readonly reason: string;
  /** It could not be decided: this denies whatever the binding's actions are. */
  readonly isFailure: boolean;
}

function judgedByBinding(
  request: AdmissionRequest,
  policy: Policy,
  binding: Binding,
  matched: Resource,
): Refusal | undefined {
  const [first, ...others] = objectionsOf(request, policy, binding, matched);
  if (first === undefined) return undefined;
  if (!first.isFailure && binding.actions.includes('Warn')) {
    const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
    request.call.warnings.push(...[first, ...others].map(({ message }) => `Validation failed for ${who}: ${message}`));
  }
  const isDenied = first.isFailure || binding.actions.includes('Deny');
  return isDenied ? denialOf(request, policy, binding, first) : undefined;
}

function objectionsOf(
  request: AdmissionRequest,
  policy: Policy,
  binding: Binding,
  matched: Resource,
): readonly Objection[] {
  const failure = (message: string): readonly Objection[] =>
    policy.failurePolicy === 'Ignore' ? [] : [{ message, reason: '', isFailure: true }];
  const parameters = parametersOf(request, policy, binding);
  if (parameters.kind === 'missing') return failure(`failed to configure binding: ${parameters.why}`);
  const all = parameters.kind === 'found' ? parameters.objects : [undefined];
  return all.flatMap(params => {
    const inputs = policyInputs(request, policy, matched, params);
    const answer = judge(policy.conditions, inputs);
    if (answer.kind === 'failed') return failure(answer.why);
    if (answer.kind === 'do not hold') return [];
    const meter = new Meter(STEPS_PER_REQUEST);
    return policy.validations.flatMap(validation => objectionOf(validation, inputs, meter, failure));
  });
}

function objectionOf(
  { holds, message, messageExpression, reason }: Validation,
  inputs: Inputs,
  meter: Meter,
  failure: (message: string) => readonly Objection[],
): readonly Objection[] {
  const answer = evaluated(holds, inputs, meter);
  if (answer.kind === 'failed') return failure(answer.why);
  if (answer.value === true) return [];
  const said = messageExpression === undefined ? undefined : textIn(evaluated(messageExpression, inputs, meter));
  const words = said ?? (message === '' ? `failed expression: ${holds.source.trim()}` : message);
  return [{ message: words, reason, isFailure: false }];
}

/** Undefined: there is nothing that can be shown. */
function textIn(answer: Evaluated): string | undefined {
  if (answer.kind === 'failed' || typeof answer.value !== 'string') return undefined;
  const text = answer.value.trim();
  return text === '' || text.includes('\n') ? undefined : text;
}

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
};

function denialOf(request: AdmissionRequest, policy: Policy, binding: Binding, objection: Objection): Refusal {
  const message = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}' denied request: ${objection.message}`;
  const { status } = forbidden(subjectOf(request.call, nameOf(request)), message, [{ message }]);
  const reason = objection.reason || 'Invalid';
  return new Refusal({ ...status, reason, code: CODES[reason] ?? 422 });
}
