// What the rules of a CRD may cost by estimate: each of them, and all together (api-36).

import type { FieldError } from '../../parts.ts';
import type { Compiled, CompiledRule } from '../cel/compile.ts';
import { type Declared, MOST_BYTES } from '../cel/cost/declared.ts';
import { estimatedCost } from '../cel/cost/estimate.ts';
import { forbidden } from '../field-errors.ts';

/** kube-apiserver's limits. */
const MOST_OF_ONE = 10_000_000;
const MOST_OF_ALL = 100_000_000;
/** So many of the most expensive ones are named, those that count. */
const NAMED = 4;
const COUNTS = MOST_OF_ALL / 100;

export interface RuleCost {
  readonly rule: number;
  readonly message: number;
}

export const NO_COST: RuleCost = { rule: 0, message: 0 };

/** `times`: how many values the rule can meet; undefined: as many as a request can hold. */
export function costOf({ text, rule, message }: CompiledRule, declared: Declared, times: number | undefined): RuleCost {
  const oldSelf = text.optionalOldSelf === true ? 'optional' : 'plain';
  const once = (compiled: Compiled | undefined): number =>
    compiled === undefined || 'problem' in compiled ? 0 : estimatedCost(compiled.program.ast, declared, oldSelf);
  const most = times ?? Math.floor(MOST_BYTES / (declared.leastBytes + 1));
  return { rule: once(rule) * most, message: 'problem' in rule ? 0 : once(message) };
}

/** Counts the rules of one schema together. */
export class TotalCost {
  #total = 0;
  #expensive: (readonly [path: string, cost: number])[] = [];

  /** An expression's own excess. */
  add(path: string, what: 'rule' | 'messageExpression', cost: number): readonly FieldError[] {
    this.#total += cost;
    if (cost >= COUNTS) {
      this.#expensive = [...this.#expensive, [path, cost] as const].sort(([, a], [, b]) => b - a).slice(0, NAMED);
    }
    return cost > MOST_OF_ONE ? [forbidden(path, excess(`estimated ${what} cost`, cost / MOST_OF_ONE))] : [];
  }

  errors(path: string): readonly FieldError[] {
    if (this.#total <= MOST_OF_ALL) return [];
    const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map(([at]) => forbidden(at, why)),
      forbidden(path, excess(what, this.#total / MOST_OF_ALL)),
    ];
  }
}

function excess(what: string, factor: number): string {
  const said = factor > 100 ? 'more than 100x' : `${goFixed(factor, factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${said} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Go rounds what lies exactly in the middle to the even neighbour. */
function goFixed(value: number, digits: number): string {
  const rounded = value.toFixed(digits);
  const exact = value.toFixed(60);
  const kept = exact.length - 60 + digits;
  const isMiddle = /^50*$/.test(exact.slice(kept));
  return isMiddle && /[02468]$/.test(exact.slice(0, kept)) ? exact.slice(0, kept) : rounded;
}
