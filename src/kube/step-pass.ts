// One pass of a controller made of steps: which run, what each leaves behind, and how the object shows it.

import { defineError, InvariantBroken } from '../base/errors.ts';
import { type Ref, refText } from './api.ts';
import type { Concluded } from './concluded.ts';
import { asExpected, type Verdict } from './conditions.ts';
import type { Deletion, KubeWorld, PassSummary, Step, StepController } from './controller.ts';
import { Draft } from './draft.ts';
import { explain, reasonOf } from './failure.ts';
import { resourceName } from './kind.ts';
import { hasFinalizer, isDeleting, type KubeObject } from './object.ts';
import { isOutside, type Outcome } from './outcome.ts';
import { unprovenGone } from './perhaps-gone.ts';

/** How a pass ended. `error` is set when something failed; `recheckMs` when a timer is to be set. */
export interface PassResult {
  readonly outcome: 'done' | 'waiting' | 'failed' | 'skipped';
  readonly recheckMs?: number;
  readonly error?: unknown;
  /** The object that it waits for. */
  readonly on?: Ref;
  /** The pass's own writes that need no further pass. */
  readonly concluded?: Concluded;
}

const waitUnwatched = defineError('PIPPIN_E_WAIT_UNWATCHED', {
  retry: 'never',
  remedy: 'Add the kind to `wokenBy` of that controller: nothing would tell it that the wait is over',
  says: (controller: string, on: string, what: string) =>
    `Controller ${controller} waits for ${what} on ${on}, of a kind that it does not watch`,
});

/** Refuses a wait on an API object whose changes would wake nobody. */
export function refuseUnwatched(outcome: Outcome, controller: string, watched: ReadonlySet<string>): void {
  if (outcome.kind !== 'wait' || isOutside(outcome.on)) return;
  const ref: Ref = outcome.on;
  if (!watched.has(resourceName(ref.kind))) throw waitUnwatched(controller, refText(ref), outcome.what);
}

/** The timer that an outcome asks for, as far as this world sets it. */
export function recheckOf(outcome: Outcome, { rechecks }: Pick<KubeWorld, 'rechecks'>): number | undefined {
  const isDropped = rechecks === 'outside only' && outcome.kind === 'wait' && !isOutside(outcome.on);
  return isDropped ? undefined : outcome.recheckMs;
}

/** A step that does not go on: what the condition says, and why. */
interface Held {
  readonly verdict: Exclude<Verdict, { status: null }>;
  readonly error?: unknown;
}

/** Runs one pass over one object. Throws on broken invariants and on writes that failed. */
export class StepPass<T extends KubeObject, W extends KubeWorld> {
  private readonly controller: StepController<T, W>;
  private readonly world: W;
  private readonly watched: ReadonlySet<string>;
  private readonly draft: Draft<T>;
  private recheckMs: number | undefined;
  private readonly held: Held[] = [];
  /** What a step waits for is not worth telling yet: neither is what that holds up. */
  private isUnsaid = false;

  constructor(controller: StepController<T, W>, object: T, world: W, watched: ReadonlySet<string>) {
    this.controller = controller;
    this.world = world;
    this.watched = watched;
    this.draft = new Draft(controller.kind, object, world);
  }

  async run(): Promise<PassResult> {
    const object = this.draft.current;
    const { paused, pausesDeletion } = this.controller;
    const leftAlone = isDeleting(object) ? pausesDeletion : paused;
    const shown = this.controller.pauseShown?.(object, this.world);
    if (shown !== undefined) this.draft.judge(shown);
    if (leftAlone?.(object, this.world)) return this.leaveAlone();
    if (isDeleting(object)) await this.takeApart();
    else await this.keep();
    return this.result();
  }

  private async leaveAlone(): Promise<PassResult> {
    if (this.controller.pauseShown !== undefined) await this.written(this.draft.writeStatus('quiet'));
    return { outcome: 'skipped', concluded: this.draft.concluded };
  }

  private async keep(): Promise<void> {
    const { deletion, inOrder = [], always = [] } = this.controller;
    // The finalizer is there before the first step that may write outside.
    if (deletion !== undefined && !hasFinalizer(this.draft.current, deletion.finalizer)) {
      await this.draft.setFinalizers([...(this.draft.current.metadata.finalizers ?? []), deletion.finalizer]);
    }
    let heldBy: string | undefined;
    for (const step of inOrder) {
      if (heldBy === undefined) heldBy = (await this.runStep(step)) ? undefined : step.condition;
      else if (!this.isUnsaid) this.draft.judge(notReached(step.condition, heldBy));
    }
    for (const step of always) await this.runStep(step);
    await this.finish();
  }

  /** Whether the order goes on after this step. */
  private async runStep(step: Step<T, W>): Promise<boolean> {
    const outcome = await this.attempt(step.condition, 'False', () => this.onRecord(step));
    if (outcome === undefined || outcome.kind === 'wait') return false;
    this.draft.judge(asExpected(step.condition));
    return true;
  }

  /** Runs and takes over the outcome; a wait or failure is shown in `condition`. Undefined: it failed. */
  private async attempt(
    condition: string,
    heldStatus: 'True' | 'False',
    run: () => Promise<Outcome>,
  ): Promise<Outcome | undefined> {
    try {
      const outcome = await run();
      refuseUnwatched(outcome, this.controller.name, this.watched);
      await this.draft.take(outcome.change);
      this.recheckAfter(recheckOf(outcome, this.world));
      if (outcome.kind === 'wait') {
        const { reason = 'Waiting', what, unsaid } = outcome;
        this.isUnsaid = unsaid === true;
        this.hold({ verdict: { type: condition, status: heldStatus, reason, message: `Waiting for ${what}` } }, unsaid);
      }
      return outcome;
    } catch (error) {
      if (error instanceof InvariantBroken) throw error;
      const verdict = { type: condition, status: heldStatus, reason: reasonOf(error), message: explain(error) };
      this.hold({ verdict, error });
      return undefined;
    }
  }

  private hold(held: Held, unsaid?: true): void {
    this.held.push(held);
    if (unsaid === undefined) this.draft.judge(held.verdict);
  }

  private recheckAfter(ms: number | undefined): void {
    if (ms !== undefined) this.recheckMs = Math.min(this.recheckMs ?? ms, ms);
  }

  private async takeApart(): Promise<void> {
    const { deletion } = this.controller;
    if (deletion === undefined || !hasFinalizer(this.draft.current, deletion.finalizer)) return;
    const outcome = await this.attempt('Deleting', 'True', () => this.onRecord(deletion));
    if (outcome?.kind !== 'done') return this.finish();
    const others = (this.draft.current.metadata.finalizers ?? []).filter(name => name !== deletion.finalizer);
    if (others.length > 0) {
      const message = `Nothing is left that ${deletion.finalizer} protects`;
      this.draft.judge({ type: 'Deleting', status: 'True', reason: 'Finalized', message });
    }
    if (others.length > 0 || outcome.change !== undefined) await this.finish();
    await this.written(this.draft.setFinalizers(others));
  }

  /** What was begun is not put behind the passes of all others: those may be many, and slow. */
  private async onRecord(one: Pick<Step<T, W> | Deletion<T, W>, 'run'>): Promise<Outcome> {
    const outcome = await one.run(this.draft.current, this.world);
    if (outcome.kind !== 'wait' || outcome.onceRecorded !== 'go on') return outcome;
    await this.draft.take(outcome.change);
    return one.run(this.draft.current, this.world);
  }

  /** The one status write of the pass. */
  private async finish(): Promise<void> {
    const { summarize } = this.controller;
    const failed = this.held.some(({ error }) => error !== undefined);
    const object = this.draft.current;
    if (summarize !== undefined) await this.draft.take({ status: summarize(object, summaryOf(object, this.held)) });
    await this.written(this.draft.writeStatus(failed ? 'quiet' : 'heard'));
  }

  private written(write: Promise<void>): Promise<void> {
    return unprovenGone(this.controller.kind, this.draft.current, write);
  }

  private result(): PassResult {
    const failure = this.held.find(({ error }) => error !== undefined);
    return {
      outcome: failure !== undefined ? 'failed' : this.held.length > 0 ? 'waiting' : 'done',
      concluded: this.draft.concluded,
      ...(this.recheckMs === undefined ? {} : { recheckMs: this.recheckMs }),
      ...(failure === undefined ? {} : { error: failure.error }),
    };
  }
}

function notReached(condition: string, heldBy: string): Verdict {
  return { type: condition, status: 'Unknown', reason: 'NotReached', message: `Not looked at: ${heldBy} comes first` };
}

function summaryOf(object: KubeObject, held: readonly Held[]): PassSummary {
  const common = { deleting: isDeleting(object), failed: held.some(({ error }) => error !== undefined) };
  const [first] = held;
  if (first === undefined) return common;
  const { type, reason, message } = first.verdict;
  return {
    ...common,
    heldBy: type,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
}
