// What MutatingAdmissionPolicies must be: all that other policies are, and mutations that compile.

import type { Scope } from '../../admission/expressions.ts';
import { scopeOf } from '../../admission/policies.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { compileErrors, oneOf } from './match-rules.ts';
import { commonErrors } from './policies.ts';
import type { Errors } from './texts.ts';

const HOLDERS = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

export function mutatingPolicyErrors(policy: JsonObject): Errors {
  const spec = objectAt(policy, 'spec');
  const mutations = listAt(spec, 'mutations').filter(isObject);
  return [
    ...commonErrors(spec),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((each, index) => mutationErrors(`spec.mutations[${index}]`, each, scopeOf(spec))),
    ...reinvocationErrors('spec.reinvocationPolicy', spec.reinvocationPolicy),
  ];
}

function reinvocationErrors(path: string, policy: Json | undefined): Errors {
  const isMissing = policy === undefined || policy === null || policy === '';
  return isMissing ? [required(path)] : oneOf(path, policy, ['IfNeeded', 'Never']);
}

function mutationErrors(path: string, mutation: JsonObject, scope: Scope): Errors {
  const { patchType } = mutation;
  if (patchType === undefined || patchType === null || patchType === '') return [required(`${path}.patchType`)];
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    return oneOf(`${path}.patchType`, patchType, Object.keys(HOLDERS));
  }
  const key = HOLDERS[patchType];
  const holder = mutation[key];
  if (!isObject(holder)) return [required(`${path}.${key}`, `must be specified when patchType is ${patchType}`)];
  const source = textAt(holder, 'expression');
  const at = `${path}.${key}.expression`;
  return source.trim() === '' ? [required(at, 'expression is not specified')] : compileErrors(at, source, 'any', scope);
}
