// Whether what a container or a Pod asks for is within a LimitRange, and in which words it is not.

import type { JsonObject } from '../../parts.ts';
import { objectAt } from '../json.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';

export function bounded(type: string, limit: JsonObject, resources: JsonObject): readonly string[] {
  const [requests, limits] = [objectAt(resources, 'requests'), objectAt(resources, 'limits')];
  const each = (bounds: JsonObject, check: (name: string, bound: string) => string | undefined): readonly string[] =>
    Object.keys(bounds)
      .sort()
      .flatMap(name => check(name, String(bounds[name])) ?? []);
  return [
    ...each(objectAt(limit, 'min'), (name, bound) =>
      tooLittle(`minimum ${name} usage per ${type} is ${bound}`, bound, requests[name], limits[name]),
    ),
    ...each(objectAt(limit, 'max'), (name, bound) =>
      tooMuch(`maximum ${name} usage per ${type} is ${bound}`, bound, requests[name], limits[name]),
    ),
  ];
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

/** What all containers ask for together. */
export function totalOf(containers: readonly JsonObject[]): JsonObject {
  const sum = (key: string): JsonObject => {
    const totals = new Map<string, string[]>();
    for (const container of containers) {
      for (const [name, value] of Object.entries(objectAt(objectAt(container, 'resources'), key))) {
        totals.set(name, [...(totals.get(name) ?? []), String(value)]);
      }
    }
    return Object.fromEntries([...totals].map(([name, values]) => [name, added(values)]));
  };
  return { requests: sum('requests'), limits: sum('limits') };
}

function added(values: readonly string[]): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  const total = values.reduce((sum, value) => sum + (nanoOf(value) ?? 0n), 0n);
  const milli = total / 1_000_000n;
  return canonicalQuantity(milli % 1000n === 0n ? String(milli / 1000n) : `${milli}m`) ?? '0';
}
