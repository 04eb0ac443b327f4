// Sets of fields, as a tree: what one owner has of an object. `fieldsV1` is the form in which it is stored.

import type { JsonObject } from '../../parts.ts';
import { type Draft, isObject, setKey } from '../json.ts';

/** Steps are written as Kubernetes stores them: `f:spec`, `k:{"name":"a"}`, `v:"x"`. */
export type Step = string;

export interface FieldSet {
  /** Whether the place itself is in the set, not only places below it. */
  readonly self: boolean;
  readonly children: ReadonlyMap<Step, FieldSet>;
}

export const EMPTY: FieldSet = { self: false, children: new Map() };
export const LEAF: FieldSet = { self: true, children: new Map() };

export const isEmpty = (set: FieldSet): boolean => !set.self && set.children.size === 0;

/** A set of these children; empty ones are dropped, so that an empty set has no children at all. */
export function setOf(
  children: Iterable<readonly [Step, FieldSet]>,
  self: 'with itself' | 'without' = 'without',
): FieldSet {
  const kept = new Map<Step, FieldSet>();
  for (const [step, child] of children) if (!isEmpty(child)) kept.set(step, child);
  return { self: self === 'with itself', children: kept };
}

const node = (isMember: boolean, children: Iterable<readonly [Step, FieldSet]>): FieldSet =>
  setOf(children, isMember ? 'with itself' : 'without');

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const children = new Map(a.children);
  for (const [step, child] of b.children) children.set(step, union(children.get(step) ?? EMPTY, child));
  return { self: a.self || b.self, children };
}

/** What is in `a` and not in `b`: place by place, so a parent in `b` takes no children of `a` along. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  let isSame = !(a.self && b.self);
  const children: (readonly [Step, FieldSet])[] = [];
  for (const [step, child] of a.children) {
    const kept = difference(child, b.children.get(step) ?? EMPTY);
    if (kept !== child) isSame = false;
    children.push([step, kept]);
  }
  return isSame ? a : node(a.self && !b.self, children);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children = [...a.children].map(
    ([step, child]) => [step, intersection(child, b.children.get(step) ?? EMPTY)] as const,
  );
  return node(a.self && b.self, children);
}

/** The set without these places and everything below them. */
export function without(set: FieldSet, places: FieldSet): FieldSet {
  let kept: Map<Step, FieldSet> | undefined;
  for (const [step, place] of places.children) {
    const child = set.children.get(step);
    if (child === undefined) continue;
    const rest = place.self ? EMPTY : without(child, place);
    if (rest === child) continue;
    kept ??= new Map(set.children);
    if (isEmpty(rest)) kept.delete(step);
    else kept.set(step, rest);
  }
  return kept === undefined ? set : { self: set.self, children: kept };
}

/** The set of these places: `['metadata', 'name']`. */
export function placesOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, placeOf(path)), EMPTY);
}

const placeOf = (path: readonly string[]): FieldSet =>
  path.reduceRight<FieldSet>((child, name) => setOf([[`f:${name}`, child]]), LEAF);

/** Every place in the set, with the steps that lead to it. */
export function* placesIn(set: FieldSet, path: readonly Step[] = []): Generator<readonly Step[]> {
  if (set.self && path.length > 0) yield path;
  for (const [step, child] of set.children) yield* placesIn(child, [...path, step]);
}

/** Sets of stored objects are asked for again and again. */
const read = new WeakMap<JsonObject, FieldSet>();

export function fromFieldsV1(fields: JsonObject): FieldSet {
  const known = read.get(fields);
  if (known !== undefined) return known;
  const form = { isOurs: true };
  const set = { self: false, children: childrenOf(fields, form) };
  read.set(fields, set);
  if (form.isOurs) asRead.set(set, fields);
  return set;
}

/** What a set was read from, where it is written just as we would write it. */
const asRead = new WeakMap<FieldSet, JsonObject>();

function childrenOf(fields: JsonObject, form: { isOurs: boolean }): ReadonlyMap<Step, FieldSet> {
  const children = new Map<Step, FieldSet>();
  let before = '';
  for (const step of Object.keys(fields)) {
    const child = fields[step];
    if (step < before || !isObject(child)) form.isOurs = false;
    before = step;
    if (step === '.' || !isObject(child)) continue;
    const isLeaf = isBare(child);
    children.set(step, isLeaf ? LEAF : { self: Object.hasOwn(child, '.'), children: childrenOf(child, form) });
  }
  // A leaf is written as an empty object.
  if (children.size === 0) form.isOurs = false;
  return children;
}

function isBare(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

/** Sorted, as Go writes maps. */
export function toFieldsV1(set: FieldSet): JsonObject {
  return asRead.get(set) ?? written(set, {});
}

/** Most places in a set are leaves, and all of them are written alike. */
export const WRITTEN_LEAF: JsonObject = Object.freeze({});

function written(set: FieldSet, draft: Draft): JsonObject {
  const steps = [...set.children.keys()];
  if (steps.length > 1) steps.sort();
  for (const step of steps) {
    const child = set.children.get(step) ?? EMPTY;
    if (child.children.size === 0) setKey(draft, step, WRITTEN_LEAF);
    else setKey(draft, step, written(child, child.self ? { '.': WRITTEN_LEAF } : {}));
  }
  return draft;
}
