// How one step into an object is written, and how a whole path reads in a message.

import { remembered } from '../../../base/remembered.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { isList, isObject } from '../json.ts';
import { fieldSchema, resolved } from '../schemas.ts';
import type { Atom } from './atoms.ts';
import type { Step } from './field-set.ts';

/** The same few names in every object: a text that was a key before is found faster as a key again. */
export const fieldStep: (name: string) => Step = remembered(name => `f:${name}`);

/** The name in a step that is a field's; undefined for steps into lists. */
export const nameIn = (step: Step): string | undefined => (step.startsWith('f:') ? step.slice(2) : undefined);

type ItemAtom = Extract<Atom, { kind: 'list' }>;

/** The step to an item of a list that is a set or a map. */
export function itemStep(atom: ItemAtom, item: Json): Step {
  if (atom.relation !== 'map') return `v:${JSON.stringify(item)}`;
  const said: string[] = [];
  for (const key of atom.keys.length > 1 ? atom.keys.toSorted() : atom.keys) {
    const value = keyValue(atom.item, key, item);
    if (value !== undefined) said.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  }
  return `k:{${said.join(',')}}`;
}

/** A key that is not said has its default. */
function keyValue(schema: JsonObject, key: string, item: Json): Json | undefined {
  const said = isObject(item) ? item[key] : undefined;
  if (said !== undefined && said !== null) return said;
  return fieldSchema(resolved(schema), key)?.default;
}

/** Items by step, in the list's order. Equal steps share one entry. */
export function indexed(atom: ItemAtom, list: Json | undefined): ReadonlyMap<Step, readonly Json[]> {
  const found = new Map<Step, Json[]>();
  for (const item of isList(list) ? list : []) {
    const step = itemStep(atom, item);
    const same = found.get(step);
    if (same === undefined) found.set(step, [item]);
    else same.push(item);
  }
  return found;
}

/** `.spec.containers[name="a"].image`. */
export const pathText = (path: readonly Step[]): string => path.map(stepText).join('');

function stepText(step: Step): string {
  const name = nameIn(step);
  if (name !== undefined) return `.${name}`;
  const said: Json = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return `[=${JSON.stringify(said)}]`;
  if (!isObject(said)) return `[${JSON.stringify(said)}]`;
  const keys = Object.entries(said).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `[${keys.join(',')}]`;
}
