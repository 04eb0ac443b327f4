// A controller of objects by the thousand: nothing is written of what ends by itself, and every trouble is told.

import { minutes, seconds } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { isBeingMoved, pauseVerdict } from '../kinds/pause.ts';
import type { Ref } from '../kube/api.ts';
import { asExpected, conditionOf } from '../kube/conditions.ts';
import type { KeyController, KubeWorld } from '../kube/controller.ts';
import { explain, reasonOf, retryOf } from '../kube/failure.ts';
import type { Kind } from '../kube/kind.ts';
import type { Fields } from '../kube/merge-patch.ts';
import { isDeleting, type KubeObject, keyOf, type ObjectKey } from '../kube/object.ts';
import { done, type Outcome, type Wait, wait } from '../kube/outcome.ts';
import { keyController, type Runnable } from '../kube/run.ts';
import { type Said, writeStanding } from '../kube/standing.ts';
import { forgetWait, hasWaitedLong } from './patience.ts';

/** A wait for what another controller is about to do: told only when it lasts. */
const IN_PROGRESS = 'InProgress';
const UNSAID = 'Unsaid';
const RECHECK_MS = seconds(30);
const PAUSED_RECHECK_MS = minutes(10);

/** Waits for what comes by itself: nothing is written of it for the first minute, but in place of earlier words. */
export const soon = (on: Ref, what: string): Wait => wait(on, what, RECHECK_MS, { reason: IN_PROGRESS });

/** Waits, and has nothing to tell that was not told lately. */
export const unsaid = (on: Ref, what: string, recheckMs: number): Wait => wait(on, what, recheckMs, { reason: UNSAID });

/** Waits for what somebody has to bring about: told at once. */
export const held = (on: Ref, reason: string, what: string): Wait => wait(on, what, RECHECK_MS, { reason });

/** The object of a pass, as the last write answered it. */
export interface Subject<T> {
  object: T;
}

export interface QuietController<T extends KubeObject, W extends KubeWorld>
  extends Omit<KeyController<W>, 'kind' | 'pass'> {
  readonly kind: Kind<T>;
  /** The condition in which an object that is kept says what holds it up. */
  readonly condition: string;
  /** Objects for which this answers false are another's: nothing is read into them, and nothing written. */
  readonly concerns?: (object: T) => boolean;
  /** Why nothing may be written for an object, deletion included. */
  pausedBy(object: T, world: W): string | undefined;
  /** The outcome's `change.status` is written in the end, in one write with what is told. */
  keep(subject: Subject<T>, world: W): Promise<Outcome>;
  takeApart(subject: Subject<T>, world: W): Promise<Outcome>;
  /** Status fields that go with an error, or with none. */
  readonly failing?: (error: unknown) => Fields;
  /** Looks after what earlier objects of this name have left: on every pass, whether or not an object is there. */
  readonly leftBehind?: (key: ObjectKey, object: T | undefined, world: W) => Promise<Outcome>;
}

export function quietController<T extends KubeObject, W extends KubeWorld>(quiet: QuietController<T, W>): Runnable<W> {
  return keyController<W>({
    ...quiet,
    pass: async (key, object, world) => {
      const here = object as T | undefined;
      if (here === undefined) forgetWait(quiet.name, key, world);
      const [swept, outcome] = await Promise.allSettled([
        leftBehindOf(quiet, key, here, world),
        ownPass(quiet, here, world),
      ]);
      if (outcome.status === 'rejected') throw outcome.reason;
      if (swept.status === 'rejected') throw swept.reason;
      return swept.value.kind === 'wait' && outcome.value.kind === 'done' ? swept.value : outcome.value;
    },
  });
}

/** Neither holds up the other: what an earlier object has left is not this one's trouble. */
async function leftBehindOf<T extends KubeObject, W extends KubeWorld>(
  quiet: QuietController<T, W>,
  ...[key, object, world]: [ObjectKey, T | undefined, W]
): Promise<Outcome> {
  return (await quiet.leftBehind?.(key, object, world)) ?? done();
}

async function ownPass<T extends KubeObject, W extends KubeWorld>(
  quiet: QuietController<T, W>,
  object: T | undefined,
  world: W,
): Promise<Outcome> {
  if (object === undefined || isBeingMoved(object) || quiet.concerns?.(object) === false) return done();
  return passOver(quiet, { object }, world);
}

async function passOver<T extends KubeObject, W extends KubeWorld>(
  quiet: QuietController<T, W>,
  subject: Subject<T>,
  world: W,
): Promise<Outcome> {
  const pause = pauseSaid(subject.object, quiet.pausedBy(subject.object, world));
  if (pause?.status === 'True') {
    await writeStanding(world, quiet.kind, subject.object, { said: [pause] });
    return done(undefined, PAUSED_RECHECK_MS);
  }
  const isGoing = isDeleting(subject.object);
  const about = { pause, condition: isGoing ? 'Deleting' : quiet.condition };
  try {
    const outcome = await (isGoing ? quiet.takeApart(subject, world) : quiet.keep(subject, world));
    if (!isGoing || outcome.kind === 'wait') await finish(quiet, subject, { ...about, outcome, world });
    return withoutChange(outcome);
  } catch (error) {
    if (retryOf(error) !== 'conflict') await tellFailure(quiet, subject, { ...about, error, world });
    throw error;
  }
}

interface About {
  readonly pause: Said | undefined;
  readonly condition: string;
}

function finish<T extends KubeObject, W extends KubeWorld>(
  { name, kind }: QuietController<T, W>,
  { object }: Subject<T>,
  { pause, condition, outcome, world }: About & { readonly outcome: Outcome; readonly world: W },
): Promise<T> {
  const { status = {}, conditions = [] } = outcome.change ?? {};
  const asked = conditions.filter((each): each is Said => each.status !== null);
  const said = [
    pause,
    saidOf(outcome, object, { condition, isLong: isLongWait(name, outcome, object, world) }),
    ...asked,
  ];
  return writeStanding(world, kind, object, { status, said: said.filter(each => each !== undefined) });
}

/** The failure itself is thrown on; that it could not be told is only logged. */
async function tellFailure<T extends KubeObject, W extends KubeWorld>(
  { kind, failing }: QuietController<T, W>,
  { object }: Subject<T>,
  { pause, condition, error, world }: About & { readonly error: unknown; readonly world: W },
): Promise<void> {
  const said = { type: condition, status: heldStatus(condition), reason: reasonOf(error), message: explain(error) };
  const standing = { status: failing?.(error) ?? {}, said: pause === undefined ? [said] : [pause, said] };
  await writeStanding(world, kind, object, standing).catch((unwritten: unknown) =>
    world.log.warn('What holds an object up could not be told on it', { error: messageOf(unwritten) }),
  );
}

/** Of a wait for what comes by itself, whether it lasts; any other end of a pass begins the count anew. */
function isLongWait(...[name, outcome, object, world]: [string, Outcome, KubeObject, KubeWorld]): boolean {
  if (outcome.kind === 'wait' && outcome.reason === IN_PROGRESS) return hasWaitedLong(name, object, world);
  forgetWait(name, keyOf(object), world);
  return false;
}

/** Trouble, or that there is none any more. An object that never had any carries no condition. */
function saidOf(
  outcome: Outcome,
  object: KubeObject,
  { condition, isLong }: { readonly condition: string; readonly isLong: boolean },
): Said | undefined {
  const before = conditionOf(object, condition);
  if (outcome.kind === 'done') return before === undefined ? undefined : asExpected(condition);
  const { reason = 'Waiting', what } = outcome;
  if (reason === UNSAID) return undefined;
  // Where trouble is told that may be over, what is true now is told at once: a stale excuse sends people astray.
  const isExcused = before?.status === heldStatus(condition);
  if (reason === IN_PROGRESS && !isLong && !isExcused) return undefined;
  return { type: condition, status: heldStatus(condition), reason, message: `Waiting for ${what}` };
}

const heldStatus = (condition: string): 'True' | 'False' => (condition === 'Deleting' ? 'True' : 'False');

function pauseSaid(object: KubeObject, why: string | undefined): Said | undefined {
  const verdict = pauseVerdict(why);
  if (verdict.status === null) return undefined;
  return why !== undefined || conditionOf(object, verdict.type)?.status === 'True' ? verdict : undefined;
}

function withoutChange(outcome: Outcome): Outcome {
  const { change: _written, ...rest } = outcome;
  return rest;
}
