// Since when each kind's schemas are what they are: objects that were written before are read anew.

import type { Json } from './parts.ts';
import { objectAt, sameJson } from './rules/json.ts';
import type { Change, Row } from './store.ts';

export class SchemaAges {
  readonly #changedAt = new Map<string, number>();

  /** `stored`: definitions of which nobody knows when their schemas changed last. */
  constructor(stored: readonly Row[]) {
    for (const { name, revision } of stored) this.#changedAt.set(name, revision);
  }

  saw({ type, row, previous }: Change): void {
    if (type === 'deleted') this.#changedAt.delete(row.name);
    else if (previous !== undefined && !sameJson(versionsIn(row), versionsIn(previous))) {
      this.#changedAt.set(row.name, row.revision);
    }
  }

  /** Undefined: the schemas are those that the definition began with. */
  of(definition: string): number | undefined {
    return this.#changedAt.get(definition);
  }
}

const versionsIn = ({ object }: Row): Json | undefined => objectAt(object, 'spec').versions;
