// One pair of APIs of the soak, in a process of its own: its fleet goes there and back, and clusterctl is killed on every way.

import assert, { AssertionError } from 'node:assert/strict';
import process from 'node:process';
import { Journey } from '../journey.ts';
import type { Asked } from './asked.ts';
import { afterWrite, type NewKilled } from './kill.ts';

/** What a pair tells: first the writes of a move that nobody disturbs, then each kill. */
export type Told = { readonly writes: readonly string[] } | { readonly killed: NewKilled };

/** What a pair is told: the write after which the next kill is, or that there is none. */
export type Order = { readonly nth: number } | { readonly end: true };

export async function pair({ side, machines }: Asked): Promise<void> {
  // Whoever started it is gone: what runs here ends with it.
  process.once('disconnect', () => process.exit(1));
  const journey = await Journey.begin(side, machines);
  try {
    // The first makes Namespace and definitions that later ones find.
    await journey.move();
    const { run } = await journey.move();
    let order = await told({ writes: run.writes });
    while ('nth' in order) {
      const killed = await kill(journey, order.nth);
      order = await told({ killed });
      // A fleet that has lost something is no start for another move.
      if (killed.violations.length > 0) break;
    }
  } finally {
    await journey.close();
  }
  process.removeAllListeners('disconnect');
  process.disconnect();
}

async function kill(journey: Journey, nth: number): Promise<NewKilled> {
  const startMs = performance.now();
  const direction = journey.direction;
  let [write, violations]: [string, readonly string[]] = ['', []];
  try {
    const { run } = await journey.move(afterWrite(nth));
    write = run.writes.at(-1) ?? '';
    assert.equal(run.writes.length, nth, 'nothing was written after the kill');
  } catch (error) {
    // Anything else is no verdict on the move: it ends the soak.
    if (!(error instanceof AssertionError)) throw error;
    violations = [error.message];
  }
  return { nth, direction, write, violations, seconds: (performance.now() - startMs) / 1000 };
}

/** The order that answers it. */
function told(message: Told): Promise<Order> {
  const answer = new Promise<Order>(resolve => process.once('message', order => resolve(order as Order)));
  process.send?.(message);
  return answer;
}
