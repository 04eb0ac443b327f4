// How many unhealthy machines are too many to replace: then the fault is likelier ours than theirs (builtin-27).

import { absoluteOf, type HealthRules } from '../spelling.ts';

export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Why nothing is replaced; empty when it may be. */
  readonly why: string;
}

export function allowanceFor(rules: HealthRules, expected: number, unhealthy: number): Allowance {
  const range = rangeOf(rules.unhealthyRange);
  if (range !== undefined) {
    const isAllowed = unhealthy >= range.from && unhealthy <= range.to;
    const why = `${unhealthy} machines are unhealthy, and only from ${range.from} to ${range.to} are they replaced`;
    return { isAllowed, remaining: Math.max(0, range.to - unhealthy), why: isAllowed ? '' : why };
  }
  const most = absoluteOf(rules.maxUnhealthy, expected, 'down');
  const isAllowed = unhealthy <= most;
  const why = `${unhealthy} of ${expected} machines are unhealthy, more than ${rules.maxUnhealthy}`;
  return { isAllowed, remaining: Math.max(0, most - unhealthy), why: isAllowed ? '' : why };
}

function rangeOf(text: string | undefined): { readonly from: number; readonly to: number } | undefined {
  const match = /^\[(\d+)-(\d+)\]$/.exec(text ?? '');
  return match === null ? undefined : { from: Number(match[1]), to: Number(match[2]) };
}
