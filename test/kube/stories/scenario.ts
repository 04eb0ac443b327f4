// What a scenario of the real story is: a sentence, a short name for its place, and what happens there.

import type { Place } from './place.ts';

export interface RealScenario {
  /** Of its namespace, pool and machines. */
  readonly id: string;
  /** A sentence: what is expected. */
  readonly name: string;
  /** Another scenario, listed before, that must be over first: the two would spoil each other's answers. */
  readonly after?: string;
  /** Throws where something is not as it should be. Answers what happened, for the account. */
  run(place: Place): Promise<string>;
}
