// A story's scenario: what happens, told in a line or two while it is checked.

import assert from 'node:assert/strict';

export interface Scenario {
  /** A sentence: what is expected whatever goes wrong. */
  readonly name: string;
  /** Runs it; throws where something is not as it should be. Answers what happened, for the account. */
  run(): Promise<string>;
}

/** Seconds with one digit. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Fails with what is still there. */
export function assertEmpty(what: string, left: readonly unknown[]): void {
  assert.deepEqual(left, [], `${what} are left`);
}
