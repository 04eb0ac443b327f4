// Gives stored definitions their names: accepted while no other definition of the group has them, as the server itself.

import { kubeTime } from '../base/clock.ts';
import type { Core } from './core.ts';
import type { InTurn } from './in-turn.ts';
import { awaitsNames, withAcceptedNames, withApproval } from './objects/definition-names.ts';
import { DEFINITIONS } from './objects/definitions.ts';
import type { JsonObject } from './parts.ts';
import { objectAt, sameJson } from './rules/json.ts';
import type { Change, Row } from './store.ts';

/** By this name the server writes the status of definitions. */
const SERVER = 'kube-apiserver';

type World = Pick<Core, 'store' | 'clock' | 'parts' | 'registry'>;

/** One definition at a time: the next one sees what the one before was given. */
export class Naming {
  readonly #world: World;
  readonly #turns: InTurn;

  constructor(world: World, turns: InTurn) {
    this.#world = world;
    this.#turns = turns;
    // Those that were stored and not named before the server stopped.
    for (const { name } of this.#stored()) this.#name(name);
  }

  /** To be told of every change of a definition. */
  saw({ type, row }: Change): void {
    if (type !== 'deleted') this.#name(row.name);
    // Names that became free go to who waits, in the order of the keys.
    else for (const { name, object } of this.#stored()) if (awaitsNames(object)) this.#name(name);
  }

  #name(name: string): void {
    this.#turns.next(`The definition ${name} was not given its names`, () => this.#write(name));
  }

  async #write(name: string): Promise<void> {
    const { store, clock } = this.#world;
    const row = store.get({ storage: DEFINITIONS, namespace: '', name });
    if (row === undefined) return;
    const definitions = this.#stored().map(({ object }) => object);
    const context = { definitions, time: kubeTime(clock.now()) };
    const { object: before, revision: expected, storage, namespace } = row;
    const named = withAcceptedNames(before, objectAt(before, 'status'), context);
    const status = withApproval(before, named, context.time);
    if (sameJson(status, objectAt(before, 'status'))) return;
    const object = writtenByServer(this.#world, before, { ...before, status });
    // A conflict means that somebody writes this definition now: that change is looked at in its turn.
    await store.write({ storage, namespace, name, expected, object });
  }

  #stored(): readonly Row[] {
    return this.#world.store.range(DEFINITIONS)?.rows ?? [];
  }
}

/** A status that the server itself writes is owned by it. */
export function writtenByServer({ clock, parts, registry }: World, before: JsonObject, after: JsonObject): JsonObject {
  const resource = registry.byStorage(DEFINITIONS);
  const track = parts.fieldOwnership?.track;
  if (resource === undefined || track === undefined) return after;
  return track({ resource, before, after, manager: SERVER, subresource: 'status', time: kubeTime(clock.now()) });
}
