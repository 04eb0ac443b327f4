// What becomes of an object when a configuration is applied to it: the configuration's values, in its order, over what
// is there.

import type { Json, JsonObject } from '../../parts.ts';
import { type Draft, isList, isObject, setKey } from '../json.ts';
import { type Atom, atomOf, below } from './atoms.ts';
import type { Step } from './field-set.ts';
import { indexed } from './steps.ts';

export function mergeApplied(schema: JsonObject, live: JsonObject, applied: JsonObject): JsonObject {
  const merged = merge(schema, live, applied);
  return isObject(merged) ? merged : {};
}

function merge(schema: JsonObject, live: Json | undefined, applied: Json | undefined): Json {
  if (applied === undefined) return live ?? null;
  if (live === undefined || live === null || applied === null) return applied;
  const atom = atomOf(schema, applied);
  if (atom.kind === 'map' && !atom.atomic && isObject(live) && isObject(applied)) {
    return mergeMaps(atom.schema, live, applied);
  }
  const mergesItems = atom.kind === 'list' && atom.relation !== 'atomic';
  return mergesItems && isList(live) && isList(applied) ? mergeLists(atom, live, applied) : applied;
}

function mergeMaps(schema: JsonObject, live: JsonObject, applied: JsonObject): JsonObject {
  const draft: Draft = { ...live };
  for (const [key, value] of Object.entries(applied)) {
    setKey(draft, key, merge(below(schema, key), Object.hasOwn(live, key) ? live[key] : undefined, value));
  }
  return draft;
}

function mergeLists(atom: Atom & { readonly kind: 'list' }, live: readonly Json[], applied: readonly Json[]): Json {
  const [there, wanted] = [indexed(atom, live), indexed(atom, applied)];
  const item = atom.relation === 'map' ? atom.item : {};
  return mergedOrder([...there.keys()], [...wanted.keys()]).flatMap(step => {
    const stated = wanted.get(step);
    // A key that the live list has twice cannot be merged: its items stay until the configuration states one.
    return stated === undefined ? (there.get(step) ?? []) : [merge(item, there.get(step)?.[0], stated[0])];
  });
}

/** The configuration's order; an item that only the live list has keeps its place before those that followed it. */
function mergedOrder(live: readonly Step[], wanted: readonly Step[]): readonly Step[] {
  const isWanted = new Set(wanted);
  const isLive = new Set(live);
  const order: Step[] = [];
  let waiting = wanted;
  for (const step of live) {
    if (!isWanted.has(step)) {
      order.push(step);
      continue;
    }
    // Only the next one that both know is in turn; others stand where the configuration has them.
    const turn = waiting.findIndex(candidate => isLive.has(candidate));
    if (waiting[turn] !== step) continue;
    order.push(...waiting.slice(0, turn + 1));
    waiting = waiting.slice(turn + 1);
  }
  return [...order, ...waiting];
}
