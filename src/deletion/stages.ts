// Staged deletion: an ordered list of named steps, each safe to repeat, resumed from facts and never from a cursor.

import { seconds } from '../base/clock.ts';
import { PippinError } from '../base/errors.ts';
import type { Events } from '../kube/controller.ts';
import type { Condition, KubeObject } from '../kube/object.ts';
import { type Change, done, type Outcome } from '../kube/outcome.ts';

/** A stage: its CamelCase name (the `Deleting` condition's reason) and what it does. `done` means: nothing left to do here. */
export type Stage<T extends KubeObject, W> = readonly [name: string, run: (object: T, world: W) => Promise<Outcome>];

/** Condition type under which a deleting object says where it stands. */
const DELETING = 'Deleting';

interface StageWorld {
  readonly events: Events;
}

/** Runs the stages in order on every pass; the first that waits ends the pass and names itself. */
export function stages<T extends KubeObject, W extends StageWorld>(
  list: readonly Stage<T, W>[],
): (object: T, world: W) => Promise<Outcome> {
  return async (object, world) => {
    const reached = list.findIndex(([name]) => name === stageOf(object));
    let change: Change | undefined;
    for (const [index, [name, run]] of list.entries()) {
      const outcome = await runStage(name, () => run(object, world));
      change = merged(change, outcome.change);
      if (outcome.kind === 'wait') return { ...outcome, reason: name, what: saying(outcome), ...withChange(change) };
      if (index >= reached) world.events.normal(object, name, `Deletion: ${name} is done`);
    }
    return done(change);
  };
}

/** A wait with a reason of its own keeps it in the words: the condition's reason is the stage. */
function saying({ what, reason }: { what: string; reason?: string }): string {
  return reason === undefined ? what : `${reason}: ${what}`;
}

const withChange = (change: Change | undefined): { change?: Change } => (change === undefined ? {} : { change });

/** Where the last pass stopped, as the object itself says it: only for the events, never to skip a stage. */
function stageOf(object: KubeObject): string | undefined {
  return conditionsOf(object).find(condition => condition.type === DELETING)?.reason;
}

function conditionsOf(object: KubeObject): readonly Condition[] {
  const { status } = object as { status?: { conditions?: readonly Condition[] } };
  return status?.conditions ?? [];
}

/** A stage that fails says which stage it was, as the reason of the condition; the error itself stays its cause. */
async function runStage(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PippinError)) throw error;
    const { code, retry, remedy } = error;
    throw new PippinError(error.message, { code, retry, remedy, reason: name }, { cause: error });
  }
}

/** Later stages add to what earlier ones want written. */
function merged(one: Change | undefined, other: Change | undefined): Change | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    spec: { ...one.spec, ...other.spec },
    status: { ...one.status, ...other.status },
    labels: { ...one.labels, ...other.labels },
    annotations: { ...one.annotations, ...other.annotations },
    conditions: [...(one.conditions ?? []), ...(other.conditions ?? [])],
  };
}

/** Runs `each` on every item, whatever the others do: one failure hides no other (safe-16). Waits win over done; the first failure is thrown at the end. */
export async function settleAll<I>(items: readonly I[], each: (item: I) => Promise<Outcome>): Promise<Outcome> {
  const results = await Promise.allSettled(items.map(each));
  const failed = results.find(result => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const outcomes = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
  const waits = outcomes.filter(outcome => outcome.kind === 'wait');
  const [first] = waits;
  if (first === undefined) return done();
  const soonestMs = Math.min(...waits.map(wait => wait.recheckMs), seconds(60));
  const more = waits.length > 1 ? ` (and ${waits.length - 1} more)` : '';
  return { ...first, what: `${first.what}${more}`, recheckMs: soonestMs };
}
