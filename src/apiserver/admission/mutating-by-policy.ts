// Mutating policies: what their expressions make of an object, one mutation after the other.

import { forbidden, Refusal } from '../answer/status.ts';
import { subjectOf } from '../core.ts';
import type { Json, JsonObject, Resource } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { mergePatch } from '../verbs/merge-patch.ts';
import { PatchMisfit, patchedBy } from '../verbs/patching.ts';
import { judge } from './conditions.ts';
import { evaluated, Meter, STEPS_PER_REQUEST } from './expressions.ts';
import { InexactNumber, jsonOf } from './json-values.ts';
import type { Reread } from './mutating.ts';
import { parametersOf } from './parameters.ts';
import type { Binding, MutatingPolicy, Mutation } from './policies.ts';
import { isBound, matchedPolicy, policyInputs } from './policy-matching.ts';
import { type AdmissionRequest, fromVersion, inVersion, nameOf } from './request.ts';

/** The object as the policies leave it; refuses by throwing. */
export function mutatedByPolicies(
  request: AdmissionRequest,
  policies: readonly MutatingPolicy[],
  reread: Reread,
): JsonObject | undefined {
  let current = request;
  for (const policy of policies) {
    for (const binding of policy.bindings) {
      const matched = matchedPolicy(policy, current);
      if (matched === undefined || current.object === undefined || !isBound(binding, current)) continue;
      current = { ...current, object: mutatedByBinding(current, policy, binding, { matched, reread }) };
    }
  }
  return current.object;
}

interface Matched {
  readonly matched: Resource;
  readonly reread: Reread;
}

/** What cannot be made, said in words. */
class MutationFailed extends Error {}

function mutatedByBinding(
  request: AdmissionRequest,
  policy: MutatingPolicy,
  binding: Binding,
  how: Matched,
): JsonObject | undefined {
  try {
    return mutatedWithParameters(request, policy, binding, how);
  } catch (error) {
    if (!(error instanceof MutationFailed) && !(error instanceof PatchMisfit)) throw error;
    if (policy.failurePolicy === 'Ignore') return request.object;
    const said = error instanceof PatchMisfit ? `JSON Patch: ${error.message}` : error.message;
    throw refusalOf(request, `policy '${policy.name}' with binding '${binding.name}' denied request: ${said}`);
  }
}

function mutatedWithParameters(
  request: AdmissionRequest,
  policy: MutatingPolicy,
  binding: Binding,
  how: Matched,
): JsonObject | undefined {
  const parameters = parametersOf(request, policy, binding);
  if (parameters.kind === 'missing') throw new MutationFailed(`failed to configure binding: ${parameters.why}`);
  const all = parameters.kind === 'found' ? parameters.objects : [undefined];
  let current = request;
  for (const params of all) {
    const answer = judge(policy.conditions, policyInputs(current, policy, how.matched, params));
    if (answer.kind === 'failed') throw new MutationFailed(answer.why);
    if (answer.kind === 'do not hold') continue;
    for (const mutation of policy.mutations) {
      const inputs = policyInputs(current, policy, how.matched, params);
      const made = evaluated(mutation.made, inputs, new Meter(STEPS_PER_REQUEST));
      if (made.kind === 'failed') throw new MutationFailed(made.why);
      current = { ...current, object: changedBy(current, mutation, made.value, how) };
    }
  }
  return current.object;
}

function changedBy({ call, object }: AdmissionRequest, mutation: Mutation, made: unknown, how: Matched): JsonObject {
  const shown = inVersion(call, object ?? {}, how.matched);
  const value = asJson(made);
  if (mutation.kind === 'patch')
    return how.reread(fromVersion(call, patchedBy(shown, Array.isArray(value) ? value : []), how.matched));
  const wanted = isObject(value) ? value : {};
  const merge = call.core.parts.strategicMerge;
  const merged =
    how.matched.origin === 'builtin' && merge !== undefined
      ? merge(how.matched.schema, shown, wanted)
      : mergePatch(shown, wanted);
  return how.reread(fromVersion(call, isObject(merged) ? merged : shown, how.matched));
}

function asJson(made: unknown): Json {
  try {
    return jsonOf(made);
  } catch (error) {
    throw error instanceof InexactNumber ? new MutationFailed(error.message) : error;
  }
}

/** The real server says 403 and gives another reason. */
function refusalOf(request: AdmissionRequest, message: string): Refusal {
  const { status } = forbidden(subjectOf(request.call, nameOf(request)), message, [{ message }]);
  return new Refusal({ ...status, message, reason: 'Invalid' });
}
