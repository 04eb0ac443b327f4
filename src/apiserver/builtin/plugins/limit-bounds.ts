// Whether what a container, a Pod or a claim asks for is within a LimitRange, and in which words it is not.

import type { JsonObject } from '../../parts.ts';
import { objectAt } from '../json.ts';
import { podTotals, type TotalKind, totalText } from '../pod-totals.ts';
import { nanoOf } from '../quantity.ts';

export function bounded(type: string, limit: JsonObject, resources: JsonObject): readonly string[] {
  const [requests, limits] = [objectAt(resources, 'requests'), objectAt(resources, 'limits')];
  return [
    ...each(limit, 'min', (name, bound) =>
      tooLittle(`minimum ${name} usage per ${type} is ${bound}`, bound, requests[name], limits[name]),
    ),
    ...each(limit, 'max', (name, bound) =>
      tooMuch(`maximum ${name} usage per ${type} is ${bound}`, bound, requests[name], limits[name]),
    ),
    ...each(limit, 'maxLimitRequestRatio', (name, bound) =>
      outOfProportion(
        `${name} max limit to request ratio per ${type} is ${bound}`,
        bound,
        requests[name],
        limits[name],
      ),
    ),
  ];
}

/** A claim only asks: what it may not have more of is what it asks for. That it asks for storage its validation sees to. */
export function boundedClaim(type: string, limit: JsonObject, requests: JsonObject): readonly string[] {
  if (requests.storage === undefined) return [];
  return [
    ...each(limit, 'min', (name, bound) =>
      tooLittle(`minimum ${name} usage per ${type} is ${bound}`, bound, requests[name], undefined),
    ),
    ...each(limit, 'max', (name, bound) => {
      const [says, asked] = [`maximum ${name} usage per ${type} is ${bound}`, nano(requests[name])];
      if (asked === undefined) return `${says}.  No request is specified`;
      return asked > (nano(bound) ?? 0n) ? `${says}, but request is ${String(requests[name])}` : undefined;
    }),
  ];
}

type Check = (name: string, bound: string) => string | undefined;

function each(limit: JsonObject, key: string, check: Check): readonly string[] {
  if (limit[key] === undefined) return [];
  const bounds = objectAt(limit, key);
  return Object.keys(bounds)
    .sort()
    .flatMap(name => check(name, String(bounds[name])) ?? []);
}

type Asked = JsonObject[string] | undefined;

const nano = (value: Asked): bigint | undefined => (value === undefined ? undefined : nanoOf(String(value)));

function tooLittle(says: string, bound: string, request: Asked, limit: Asked): string | undefined {
  const [least, asked, most] = [nano(bound) ?? 0n, nano(request), nano(limit)];
  if (asked === undefined) return `${says}.  No request is specified`;
  if (asked < least) return `${says}, but request is ${String(request)}`;
  return most !== undefined && most < least ? `${says}, but limit is ${String(limit)}` : undefined;
}

function tooMuch(says: string, bound: string, request: Asked, limit: Asked): string | undefined {
  const [most, asked, given] = [nano(bound) ?? 0n, nano(request), nano(limit)];
  if (given === undefined) return `${says}.  No limit is specified`;
  if (given > most) return `${says}, but limit is ${String(limit)}`;
  return asked !== undefined && asked > most ? `${says}, but request is ${String(request)}` : undefined;
}

const RATIO_DIGITS = 6;

function outOfProportion(says: string, bound: string, request: Asked, limit: Asked): string | undefined {
  const [most, asked, given] = [nano(bound) ?? 0n, nano(request) ?? 0n, nano(limit) ?? 0n];
  if (asked === 0n) return `${says}, but no request is specified or request is 0`;
  // One of nothing is below what is asked for, which the Pod's validation tells.
  if (given === 0n) return limit === undefined ? `${says}, but no limit is specified or limit is 0` : undefined;
  if (given * ONE <= most * asked) return undefined;
  return `${says}, but provided ratio is ${(Number(given) / Number(asked)).toFixed(RATIO_DIGITS)}`;
}

const ONE = 1_000_000_000n;

/** What a Pod asks for as a whole: what it says itself, or what its containers ask for together. */
export function totalOf(spec: JsonObject): JsonObject {
  const own = objectAt(spec, 'resources');
  const sum = (kind: TotalKind): JsonObject => {
    const totals = [...podTotals(spec, kind)].map(([name, value]) => [name, totalText(spec, { kind, name }, value)]);
    return { ...Object.fromEntries(totals), ...objectAt(own, kind) };
  };
  return { requests: sum('requests'), limits: sum('limits') };
}
