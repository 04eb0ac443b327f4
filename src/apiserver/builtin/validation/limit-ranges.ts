// What LimitRanges must be: bounds that agree with each other, of things that can be bounded.

import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, invalid, required } from '../../schema/field-errors.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { containerNameErrors, isShared, resourceNameErrors } from './resources.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

export function limitRangeErrors(range: JsonObject): Errors {
  const types = new Set<string>();
  return objectsAt(objectAt(range, 'spec'), 'limits').flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const type = textAt(limit, 'type');
    const isTwice = types.has(type);
    types.add(type);
    return [
      ...typeErrors(`${path}.type`, type),
      ...(isTwice ? [duplicate(`${path}.type`, type)] : []),
      ...amountNameErrors(path, type, limit),
      ...limitErrors(path, type, limit),
    ];
  });
}

const TYPES = new Set(['Container', 'PersistentVolumeClaim', 'Pod']);

function typeErrors(path: string, type: string): Errors {
  const names = qualifiedNameErrors(path, type);
  if (names.length > 0 || TYPES.has(type) || type.includes('/')) return names;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function limitErrors(path: string, type: string, limit: JsonObject): Errors {
  const holds = (key: string): boolean => Object.keys(objectAt(limit, key)).length > 0;
  if (type === 'PersistentVolumeClaim' && !('storage' in { ...objectAt(limit, 'min'), ...objectAt(limit, 'max') })) {
    return [
      required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    ];
  }
  const why = "may not be specified when `type` is 'Pod'";
  const unwanted = type === 'Pod' ? ['default', 'defaultRequest'].filter(holds) : [];
  const names = NAMED.flatMap(key => (unwanted.includes(key) ? [] : Object.keys(objectAt(limit, key))));
  const asked = type === 'Pod' ? { ...limit, default: {}, defaultRequest: {} } : limit;
  return [
    ...unwanted.map(key => forbidden(`${path}.${key}`, why)),
    ...[...new Set(names)].sort().flatMap(name => orderErrors(path, name, asked)),
  ];
}

const NAMED = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Of containers and their Pods the names that those know, of everything else any. */
function amountNameErrors(path: string, type: string, limit: JsonObject): Errors {
  const isOfPods = type === 'Pod';
  const named = isOfPods || type === 'Container' ? containerNameErrors : resourceNameErrors;
  return NAMED.flatMap(key =>
    isOfPods && (key === 'default' || key === 'defaultRequest')
      ? []
      : Object.keys(objectAt(limit, key)).flatMap(name => named(`${path}.${key}[${name}]`, name)),
  );
}

/** Field, the larger and the smaller value with the words for them; told of in this order. */
const ORDERS = [
  ['min', 'min', 'min', 'max', 'max'],
  ['defaultRequest', 'defaultRequest', 'min', 'defaultRequest', 'default request'],
  ['defaultRequest', 'defaultRequest', 'defaultRequest', 'max', 'max'],
  ['defaultRequest', 'defaultRequest', 'defaultRequest', 'default', 'default limit'],
  ['default', 'min', 'min', 'default', 'default'],
  ['default', 'max', 'default', 'max', 'max'],
] as const;

const WORDS: Readonly<Record<string, string>> = { min: 'min', defaultRequest: 'default request', default: 'default' };

function orderErrors(path: string, name: string, limit: JsonObject): Errors {
  const of = (key: string): string | undefined => {
    const value = objectAt(limit, key)[name];
    return value === undefined ? undefined : String(value);
  };
  const wrong = ORDERS.flatMap(([field, shown, low, high, highWords]) => {
    const [a, b] = [of(low), of(high)];
    if (a === undefined || b === undefined || (nanoOf(a) ?? 0n) <= (nanoOf(b) ?? 0n)) return [];
    const value = field === 'min' ? a : (of(shown) ?? a);
    return [
      invalid(`${path}.${field}[${name}]`, value, `${WORDS[low]} value ${a} is greater than ${highWords} value ${b}`),
    ];
  });
  return [...wrong, ...ratioErrors(`${path}.maxLimitRequestRatio[${name}]`, of), ...sharedErrors(path, name, of)];
}

type Of = (key: string) => string | undefined;

const ONE = 1_000_000_000n;
const RATIO_DIGITS = 6;

/** Nothing is limited to less than it asks for, nor is it to more than all bounds allow. */
function ratioErrors(path: string, of: Of): Errors {
  const ratio = of('maxLimitRequestRatio');
  if (ratio === undefined) return [];
  const [most, low, high] = [nanoOf(ratio) ?? 0n, nanoOf(of('min') ?? '') ?? 0n, nanoOf(of('max') ?? '') ?? 0n];
  const least = most < ONE ? [invalid(path, ratio, `ratio ${ratio} is less than 1`)] : [];
  if (of('min') === undefined || of('max') === undefined || low === 0n || high * ONE >= most * low) return least;
  const reach = (Number(high) / Number(low)).toFixed(RATIO_DIGITS);
  return [...least, invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${reach}`)];
}

/** What cannot be shared out twice is limited to what is asked for. */
function sharedErrors(path: string, name: string, of: Of): Errors {
  const [limit, request] = [of('default'), of('defaultRequest')];
  if (isShared(name) || limit === undefined || request === undefined || nanoOf(limit) === nanoOf(request)) return [];
  const why = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [invalid(`${path}.defaultRequest[${name}]`, request, why)];
}
