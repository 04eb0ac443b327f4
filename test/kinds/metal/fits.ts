// The way back: whether an object fits the bounds of an upstream release, so that its controllers could take over from ours.

import { isTextWithin } from './scalars.ts';
import { type Field, fieldTree } from './tree.ts';

/** Upstream's definitions prune it where they do not have it: nothing rests on it. */
const OURS = 'status.conditions';

/** Each place at which the object is outside the bounds of `release`; empty when its controllers could have written it. */
export function faultsOf(release: string, object: Readonly<Record<string, unknown>>): readonly string[] {
  const { apiVersion, kind, metadata: _, ...fields } = object;
  const version = String(apiVersion).split('/')[1] ?? '';
  return faultsIn(fieldTree(release, String(kind), version), fields, '');
}

function faultsIn(field: Field, value: unknown, at: string): readonly string[] {
  const { type, bounds } = field.row;
  if (type === 'any') return [];
  if (type === 'string') return typeof value === 'string' && isTextWithin(value, bounds) ? [] : [fault(at, value)];
  if (type === 'integer') return isIntegerWithin(field, value) ? [] : [fault(at, value)];
  if (type === 'boolean') return typeof value === 'boolean' ? [] : [fault(at, value)];
  return type === 'array' ? listFaults(field, value, at) : objectFaults(field, value, at);
}

const fault = (at: string, value: unknown): string => `${at}: ${JSON.stringify(value)?.slice(0, 80)}`;

function isIntegerWithin({ row: { bounds } }: Field, value: unknown): boolean {
  const { minimum = -Infinity, maximum = Infinity } = bounds;
  return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
}

function listFaults({ row: { bounds }, inner }: Field, value: unknown, at: string): readonly string[] {
  const { minItems = 0, maxItems = Infinity, listType, listMapKeys = [] } = bounds;
  if (!Array.isArray(value)) return [fault(at, value)];
  const items: readonly unknown[] = value;
  const own = items.length < minItems || items.length > maxItems ? [`${at}: ${items.length} items`] : [];
  const keys = items.map(item =>
    JSON.stringify(listType === 'map' ? listMapKeys.map(key => memberOf(item, key)) : item),
  );
  const isKeyed = listType === 'map' || listType === 'set';
  const twice = isKeyed && new Set(keys).size < keys.length ? [`${at}: the same twice`] : [];
  const inside = items.flatMap((item, index) => (inner === undefined ? [] : faultsIn(inner, item, `${at}[${index}]`)));
  return [...own, ...twice, ...inside];
}

function objectFaults(field: Field, value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [fault(at, value)];
  const { inner, members, row } = field;
  const entries = Object.entries(value);
  const place = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const few = entries.length < (row.bounds.minProperties ?? 0) ? [`${at}: nothing in it`] : [];
  if (inner !== undefined) return [...few, ...entries.flatMap(([key, each]) => faultsIn(inner, each, place(key)))];
  const known = new Map(members.map(member => [member.name, member]));
  const lacking = members.filter(({ name, row: { required } }) => required && memberOf(value, name) === undefined);
  const inside = entries.flatMap(([key, each]) => {
    const member = known.get(key);
    if (member !== undefined) return faultsIn(member, each, place(key));
    const isKept = row.bounds.preserveUnknownFields === true || place(key) === OURS;
    return isKept ? [] : [`${place(key)}: upstream has no such field`];
  });
  return [...few, ...lacking.map(({ name }) => `${place(name)}: missing`), ...inside];
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
