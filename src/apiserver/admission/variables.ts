// The variables of a policy: worked out when an expression first asks for one, at most once for each request.

import { evaluated, type Inputs, Meter, PolicyVariables, STEPS_PER_REQUEST } from './expressions.ts';
import type { PolicyBase } from './policies.ts';

export function variablesFor({ variables }: Pick<PolicyBase, 'variables'>, inputs: Inputs): object {
  const target = new PolicyVariables();
  const meter = new Meter(STEPS_PER_REQUEST);
  for (const { name, value } of variables) {
    let known: { readonly value: unknown } | undefined;
    const get = (): unknown => {
      known ??= { value: resultOf(name, evaluated(value, { ...inputs, variables: target }, meter)) };
      return known.value;
    };
    Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
  }
  return target;
}

function resultOf(name: string, answer: ReturnType<typeof evaluated>): unknown {
  if (answer.kind === 'value') return answer.value;
  const why = answer.reason ?? answer.why;
  throw new Error(`composited variable "${name}" fails to evaluate: ${why}`);
}
