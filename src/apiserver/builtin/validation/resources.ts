// What may be asked for: known resources, whole where they come in pieces, not less than nothing, within limits.

import type { FieldError, JsonObject } from '../../parts.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { objectAt, textAt } from '../json.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';
import { claimUseErrors } from './resource-claims.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const OF_CONTAINERS = new Set(['cpu', 'memory', 'ephemeral-storage']);
const STANDARD = new Set([
  ...OF_CONTAINERS,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);
/** Those of quotas come whole. */
const WHOLE = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const HUGE = 'hugepages-';
const ONE = 1_000_000_000n;

export type NameCheck = (path: string, name: string) => Errors;

export function resourceErrors(
  path: string,
  resources: JsonObject,
  claims: ReadonlySet<string> = new Set(),
  named: NameCheck = containerNameErrors,
): Errors {
  const { limits, requests, claims: used } = resources;
  if (limits === undefined && requests === undefined && used === undefined) return [];
  const [most, asked] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  return [
    ...Object.keys(most).flatMap(name => amountErrors(`${path}.limits[${name}]`, name, textAt(most, name), named)),
    ...Object.keys(asked).flatMap(name => requestErrors(path, name, { most, asked, named })),
    ...pageErrors(path, [...Object.keys(most), ...Object.keys(asked)]),
    ...(used === undefined ? [] : claimUseErrors(`${path}.claims`, resources, claims)),
  ];
}

interface Wanted {
  readonly most: JsonObject;
  readonly asked: JsonObject;
  readonly named: NameCheck;
}

function requestErrors(path: string, name: string, { most, asked, named }: Wanted): Errors {
  const [at, amount] = [`${path}.requests[${name}]`, textAt(asked, name)];
  const [first, last] = [named(at, name), pageSizeErrors(at, name, amount)];
  return [...first, ...valueErrors(at, name, amount), ...limitErrors(path, name, { most, asked, named }), ...last];
}

function amountErrors(path: string, name: string, amount: string, named: NameCheck): Errors {
  const first = named(path, name);
  return [...first, ...valueErrors(path, name, amount), ...pageSizeErrors(path, name, amount)];
}

export function valueErrors(path: string, name: string, amount: string): Errors {
  const nano = nanoOf(amount) ?? 0n;
  const shown = canonicalQuantity(amount) ?? amount;
  const errors: FieldError[] = [];
  if (nano < 0n) errors.push(invalid(path, shown, 'must be greater than or equal to 0'));
  // As the real server looks at it: in thousandths.
  const isBroken = (nano / 1_000_000n) % 1000n !== 0n;
  if (isBroken && (WHOLE.has(name) || isExtended(name))) errors.push(invalid(path, shown, 'must be an integer'));
  return errors;
}

/** What cannot be shared out twice is limited to what is asked for. */
function limitErrors(path: string, name: string, { most, asked }: Wanted): Errors {
  const [amount, limit] = [textAt(asked, name), most[name]];
  if (typeof limit !== 'string') {
    const why = 'Limit must be set for non overcommitable resources';
    return isShared(name) ? [] : [required(`${path}.limits`, why)];
  }
  const [wanted, allowed] = [nanoOf(amount) ?? 0n, nanoOf(limit) ?? 0n];
  const at = `${path}.requests`;
  const shown = canonicalQuantity(amount) ?? amount;
  const than = `${name} limit of ${canonicalQuantity(limit) ?? limit}`;
  if (wanted !== allowed && !isShared(name)) return [invalid(at, shown, `must be equal to ${than}`)];
  return wanted > allowed ? [invalid(at, shown, `must be less than or equal to ${than}`)] : [];
}

const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedNameErrors('', `requests.${name}`).length === 0;
}

const isHuge = (name: string): boolean => name.startsWith(HUGE);

/** What more may ask for than there is. */
export const isShared = (name: string): boolean => isNative(name) && !isHuge(name);

/** Resources that anything may name. */
export function resourceNameErrors(path: string, name: string): Errors {
  const errors = qualifiedNameErrors(path, name);
  if (errors.length > 0 || name.includes('/') || STANDARD.has(name) || isHuge(name)) return errors;
  const isOfQuota = name.startsWith('requests.hugepages-');
  return isOfQuota ? errors : [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Those that a container may name. */
export function containerNameErrors(path: string, name: string): Errors {
  if (OF_CONTAINERS.has(name)) return [];
  const errors = resourceNameErrors(path, name);
  if (!name.includes('/')) {
    return isHuge(name) ? errors : [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNative(name) || isExtended(name)) return errors;
  return [invalid(path, name, "doesn't follow extended resource name standard")];
}

/** Pages come whole. */
function pageSizeErrors(path: string, name: string, amount: string): Errors {
  if (!isHuge(name)) return [];
  const [size, nano] = [nanoOf(name.slice(HUGE.length)) ?? 0n, nanoOf(amount) ?? 0n];
  const isFine = size > 0n && size % ONE === 0n && nano % size === 0n;
  const shown = canonicalQuantity(amount) ?? amount;
  return isFine ? [] : [invalid(path, shown, `${shown} is not positive integer multiple of ${name}`)];
}

function pageErrors(path: string, names: readonly string[]): Errors {
  const isAlone = names.some(isHuge) && !names.includes('cpu') && !names.includes('memory');
  return isAlone ? [forbidden(path, 'HugePages require cpu or memory')] : [];
}
