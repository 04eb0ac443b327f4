// Strategic merge patch: lists merge by the keys that the schema names, and directives say what merging cannot.
// The format: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md

import type { Json, JsonObject, StrategicMerge } from '../../parts.ts';
import { goText } from '../../rules/go-text.ts';
import { type Draft, isList, isObject, setKey } from '../json.ts';
import { fieldSchema, itemSchema, resolved } from '../schemas.ts';
import {
  DELETE_FROM,
  fieldOfDirective,
  isDirective,
  PATCH,
  RETAIN_KEYS,
  SET_ORDER,
  withoutDirectives,
} from './directives.ts';
import { inOrder } from './order.ts';
import { illFormed, unmergeable } from './refusals.ts';

/** What the schema says about merging one field. */
interface Strategy {
  readonly schema: JsonObject;
  readonly replace: boolean;
  /** Lists only: merge instead of replace. */
  readonly merge: boolean;
  /** Empty for lists of plain values. */
  readonly key: string;
}

export const strategicMerge: StrategicMerge = (schema, live, patch) => mergeObject(schema, live, patch);

function mergeObject(schema: JsonObject, live: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch[PATCH];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined) throw unmergeable(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);

  const draft = retained(live, patch);
  const done = mergeOrderedLists(schema, draft, patch);
  for (const [key, value] of Object.entries(patch)) {
    if (!done.has(key)) mergeEntry(schema, draft, key, value);
  }
  return draft;
}

/** A copy of the live object, without what `$retainKeys` does not name. */
function retained(live: JsonObject, patch: JsonObject): Draft {
  const keys = patch[RETAIN_KEYS];
  if (keys === undefined) return { ...live };
  if (!isList(keys)) throw illFormed('retainKeys');

  const stray = Object.keys(patch).some(key => !key.startsWith('$') && patch[key] !== null && !keys.includes(key));
  if (stray) throw illFormed('retainKeys');
  return Object.fromEntries(Object.entries(live).filter(([key]) => keys.includes(key)));
}

function mergeEntry(schema: JsonObject, draft: Draft, key: string, value: Json): void {
  const deletesFrom = fieldOfDirective(key, DELETE_FROM);
  if (deletesFrom !== undefined) deleteValues(draft, deletesFrom, value);
  else if (value === null) delete draft[key];
  else if (key !== PATCH && key !== RETAIN_KEYS) mergeField(schema, draft, key, value);
}

function mergeField(schema: JsonObject, draft: Draft, key: string, value: Json): void {
  const live = Object.hasOwn(draft, key) ? draft[key] : undefined;
  // With nothing there to replace or delete, the directive and all beside it is dropped.
  if (live === undefined && isDirective(value)) return;
  setKey(draft, key, mergeValue(strategyOf(schema, key), live, value));
}

function mergeValue(strategy: Strategy, live: Json | undefined, value: Json): Json {
  if (isObject(live) && isObject(value)) {
    return strategy.replace ? withoutDirectives(value) : mergeObject(strategy.schema, live, value);
  }
  if (isList(live) && isList(value) && strategy.merge) return mergeList(strategy, live, value);
  return cleaned(value);
}

/** A value that replaces: directives in it have nothing to direct, nulls nothing to remove. */
function cleaned(value: Json): Json {
  if (isObject(value)) return withoutDirectives(value);
  if (!isList(value)) return value;
  return value.filter(item => !isDirective(item)).map(item => (isObject(item) ? withoutDirectives(item) : item));
}

function strategyOf(schema: JsonObject, key: string): Strategy {
  const field = fieldSchema(schema, key) ?? {};
  const strategies = text(field['x-kubernetes-patch-strategy']).split(',');
  const target = resolved(field);
  return {
    schema: target.type === 'array' ? resolved(itemSchema(target)) : target,
    replace: strategies.includes('replace'),
    merge: strategies.includes('merge'),
    key: text(field['x-kubernetes-patch-merge-key']),
  };
}

function mergeList(strategy: Strategy, live: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const all = [...live, ...patch];
  const isPlain = !isObject(all[0]);
  if (all.some(item => isObject(item) === isPlain)) {
    throw unmergeable(`list element types are not identical: ${goText([live, patch])}`);
  }
  if (isPlain) return inOrder(unique(all), patch, live, '');
  if (strategy.key === '') throw unmergeable('cannot merge lists without merge key');

  const items = patch.filter(isObject);
  for (const item of items) requireItemDirective(item);
  const replaces = items.some(item => item[PATCH] === 'replace');
  const plain = items.filter(item => !isDirective(item));
  const merged = replaces ? plain : mergeItems(strategy, withoutDeleted(live, items, strategy.key), plain);
  return inOrder(merged, replaces ? [] : plain, live, strategy.key);
}

function requireItemDirective(item: JsonObject): void {
  const directive = item[PATCH];
  if (directive === undefined || directive === 'delete' || directive === 'replace') return;
  throw unmergeable(
    directive === 'merge'
      ? 'merging lists cannot yet be specified in the patch'
      : `unknown patch type: ${goText(directive)} in map: ${goText(item)}`,
  );
}

function withoutDeleted(live: readonly Json[], patch: readonly JsonObject[], key: string): readonly Json[] {
  const deleted = patch.filter(item => item[PATCH] === 'delete').map(item => keyValue(item, key));
  return live.filter(item => !(isObject(item) && deleted.includes(item[key] ?? null)));
}

function mergeItems(strategy: Strategy, live: readonly Json[], patch: readonly JsonObject[]): readonly Json[] {
  const merged = [...live];
  for (const item of patch) {
    const value = keyValue(item, strategy.key);
    const at = merged.findIndex(candidate => isObject(candidate) && candidate[strategy.key] === value);
    const found = merged[at];
    if (isObject(found)) merged[at] = mergeObject(strategy.schema, found, item);
    else merged.push(withoutDirectives(item));
  }
  return merged;
}

function keyValue(item: JsonObject, key: string): Json {
  const value = item[key];
  if (value === undefined) {
    throw unmergeable(`map: ${goText(item)} does not contain declared merge key: ${key}`);
  }
  return value;
}

function deleteValues(draft: Draft, field: string, values: Json): void {
  const live = draft[field];
  if (!isList(values)) throw illFormed('primitive list');
  if (isList(live)) draft[field] = live.filter(item => !values.includes(item));
}

/** Lists whose order the patch gives (`$setElementOrder/<field>`): merged here, and their keys returned. */
function mergeOrderedLists(schema: JsonObject, draft: Draft, patch: JsonObject): ReadonlySet<string> {
  const done = new Set<string>();
  for (const [directive, order] of Object.entries(patch)) {
    const field = fieldOfDirective(directive, SET_ORDER);
    if (field === undefined) continue;
    if (!isList(order)) throw illFormed('setElementOrder list');
    done.add(directive).add(field);
    const strategy = strategyOf(schema, field);
    const live = draft[field];
    const merged = orderedMerge(strategy, live, patch[field], order);
    if (merged !== undefined) draft[field] = inOrder(merged, order, isList(live) ? live : [], strategy.key);
  }
  return done;
}

function orderedMerge(
  strategy: Strategy,
  live: Json | undefined,
  patch: Json | undefined,
  order: readonly Json[],
): readonly Json[] | undefined {
  if (isList(patch)) requireOrdered(strategy, patch, order);
  if (!isList(patch)) return isList(live) ? live : undefined;
  const merged = mergeValue(strategy, live, patch);
  return isList(merged) ? merged : undefined;
}

/** What the patch adds or changes must stand in the order, else the order says nothing about it. */
function requireOrdered({ key }: Strategy, patch: readonly Json[], order: readonly Json[]): void {
  const kept = patch.filter(item => !isDirective(item)).map(item => (isObject(item) ? (item[key] ?? null) : item));
  const known = order.map(item => (isObject(item) ? (item[key] ?? null) : item));
  const missing = kept.find(value => !known.includes(value));
  if (missing === undefined) return;
  throw unmergeable(
    `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

function unique(values: readonly Json[]): readonly Json[] {
  return [...new Set(values)];
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
