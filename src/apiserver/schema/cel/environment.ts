// The CEL environment of rules: the library's own functions and those that Kubernetes adds.

import { Environment, Optional } from '@marcbachmann/cel-js';
import { matchesPattern } from '../patterns.ts';
import { registerFormats } from './lib-formats.ts';
import { registerListShapes } from './lib-list-shapes.ts';
import { registerLists } from './lib-lists.ts';
import { registerNetworks } from './lib-networks.ts';
import { registerQuantities } from './lib-quantities.ts';
import { registerSemver } from './lib-semver.ts';
import { registerStrings } from './lib-strings.ts';
import { registerUrls } from './lib-urls.ts';
import { spend, spendOnSize } from './meter.ts';
import { registerOptionalLiterals } from './optionals.ts';
import { registerSortBy } from './sort-by.ts';
import { registerTwoVariableLoops } from './two-variables.ts';
import { isNull, type Times } from './types.ts';

/** Deep nesting and long literals are refused when a rule is written. */
const LIMITS = { maxAstNodes: 20_000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000 };

/** Everything that runs is synchronous; the library must not wrap it in promises. */
const SYNC = { async: false } as const;

/** Registers a function whose signature says its types. */
export type Register = (signature: string, handler: (...args: never[]) => unknown) => void;

let base: Environment | undefined;

/** A new environment with all functions, for the types and variables of one schema. */
export function ruleEnvironment(): Environment {
  base ??= build();
  return base.clone();
}

function build(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  const register: Register = (signature, handler) => {
    environment.registerFunction(signature, handler, SYNC);
  };
  register('__spend(int): bool', (steps: bigint) => {
    spend(Number(steps));
    return true;
  });
  register('__has(dyn, string): bool', hasField);
  // Stands where an expression is to be checked but never run.
  register('__never(dyn): bool', () => false);
  register('string.__matches(string): bool', (text: string, pattern: string) => {
    spendOnSize(text.length);
    return matchesPattern(pattern, text);
  });
  for (const type of ['Timestamp', 'Duration']) {
    environment.registerOperator(`google.protobuf.${type} == null: bool`, isNull);
  }
  registerOptionalLiterals(register);
  registerStrings(environment, register);
  registerLists(environment, register);
  registerListShapes(environment, register);
  registerSortBy(register);
  registerTwoVariableLoops(register);
  registerNetworks(environment, register);
  registerUrls(environment, register);
  registerQuantities(environment, register);
  registerSemver(environment, register);
  registerFormats(environment, register);
  return environment;
}

function hasField(value: unknown, field: string): boolean {
  if (value instanceof Map) return value.has(field);
  if (value instanceof Optional) return value.hasValue() && hasField(value.value(), field);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field);
}

let times: Times | undefined;

/** Texts to times, by the library's own conversions. */
export function celTimes(): Times {
  if (times !== undefined) return times;
  const environment = ruleEnvironment().registerVariable('text', 'string');
  const [timestamp, duration] = ['timestamp(text)', 'duration(text)'].map(call => environment.parse(call));
  times = { timestamp: text => timestamp?.({ text }), duration: text => duration?.({ text }) };
  return times;
}
