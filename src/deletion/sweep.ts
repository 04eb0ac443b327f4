// The sweep: whatever is deleting past its deadline gets one of three verdicts: finish, release, or refuse and say why.

import { millisOf, seconds } from '../base/clock.ts';
import { messageOf, PippinError } from '../base/errors.ts';
import { refTo } from '../kube/api.ts';
import type { KeyController, KubeWorld } from '../kube/controller.ts';
import { isConflict } from '../kube/errors.ts';
import type { Kind } from '../kube/kind.ts';
import { hasFinalizer, isDeleting, type KubeObject } from '../kube/object.ts';
import { done, type Outcome, wait } from '../kube/outcome.ts';
import type { LedgerRow, Prover } from './ledger.ts';
import type { Absent, NotProved, Proof } from './proof.ts';
import { release } from './release.ts';

export interface SweepOptions<W> {
  readonly rows: readonly LedgerRow[];
  readonly provers: readonly Prover<W>[];
  /** When the process started, by the monotonic clock: nothing is judged in the first 60 s (safe-22). */
  readonly startedAtMs: number;
  /** Overrides every row's deadline: tests and impatient people. */
  readonly deadlineSeconds?: number;
  /** How often a refusal is looked at again; 30 s unless told otherwise. */
  readonly recheckSeconds?: number;
}

/** safe-22: after a start, views are still filling and agents still coming back. */
const START_GRACE_MS = seconds(60);

/** One controller for each kind of each row that another party may release. */
export function sweep<W extends KubeWorld>(options: SweepOptions<W>): readonly KeyController<W>[] {
  return options.rows.flatMap(row => {
    const prover = options.provers.find(each => each.name === row.provedGoneBy);
    return prover === undefined ? [] : row.on.map(kind => sweepOf(kind, row, prover, options));
  });
}

function sweepOf<W extends KubeWorld>(
  kind: Kind,
  row: LedgerRow,
  prover: Prover<W>,
  options: SweepOptions<W>,
): KeyController<W> {
  return {
    name: `sweep-${kind.plural}-${row.finalizer.replaceAll(/[^a-z0-9]+/g, '-')}`,
    kind,
    async pass(_key, object, world) {
      if (object === undefined || !isDeleting(object) || !hasFinalizer(object, row.finalizer)) return done();
      const restMs = untilDueMs(object, row, world, options);
      if (restMs > 0) return wait({ port: 'time', subject: 'deadline' }, `${row.holder} to let go`, restMs);
      return verdict({ kind, row, prover, object, recheckMs: seconds(options.recheckSeconds ?? 30) }, world);
    },
  };
}

interface Stuck<W> {
  readonly kind: Kind;
  readonly row: LedgerRow;
  readonly prover: Prover<W>;
  readonly object: KubeObject;
  readonly recheckMs: number;
}

/** Release on a proof; else refuse, and say on the object which proof is missing and what a person can do (safe-6). */
async function verdict<W extends KubeWorld>(stuck: Stuck<W>, world: W): Promise<Outcome> {
  const proof = await proofOf(stuck, world);
  if (proof.kind !== 'absent') return refuse(stuck, proof, world);
  try {
    await endAndRelease(stuck, proof, world);
    // One answer "not found" may be wrong: the watch says when it is gone, and until then it is looked at again.
    return wait(refTo(stuck.kind, stuck.object), 'the object to be gone', stuck.recheckMs);
  } catch (error) {
    if (!isConflict(error)) world.events.warning(stuck.object, 'FinalizerReleaseFailed', messageOf(error));
    throw error;
  }
}

async function endAndRelease<W extends KubeWorld>(stuck: Stuck<W>, proof: Absent, world: W): Promise<void> {
  const { kind, row, prover, object } = stuck;
  const ended = prover.end === undefined ? object : await prover.end(object, world);
  if (ended === undefined || !hasFinalizer(ended, row.finalizer)) return;
  await release(world, { kind, object: ended, finalizer: row.finalizer, subject: prover.subjectOf(ended) }, proof);
}

/** A read that failed proves nothing, and the object says which read it was. */
async function proofOf<W extends KubeWorld>({ prover, object }: Stuck<W>, world: W): Promise<Proof> {
  try {
    return await prover.prove(object, world);
  } catch (error) {
    if (!(error instanceof PippinError)) throw error;
    const subject = prover.subjectOf(object);
    return { kind: 'unknown', subject, reason: 'ProofUnreadable', missing: `an answer to: ${messageOf(error)}` };
  }
}

function refuse<W extends KubeWorld>(stuck: Stuck<W>, refusal: NotProved, world: W): Outcome {
  const { row, prover, object, recheckMs } = stuck;
  const { reason, missing } = refusal;
  const message = `${row.finalizer} protects ${row.protects}; missing: ${missing}. ${prover.waysOut(object)}`;
  world.events.warning(object, reason, message);
  world.metrics
    .counter({ name: 'pippin_deletions_refused_total', help: 'Releases refused for want of proof', labels: ['reason'] })
    .add({ reason });
  return wait(refTo(stuck.kind, object), missing, refusal.recheckMs ?? recheckMs, { reason });
}

/** Milliseconds until this object may be judged. */
function untilDueMs<W extends KubeWorld>(
  object: KubeObject,
  row: LedgerRow,
  world: W,
  options: SweepOptions<W>,
): number {
  const { deletionTimestamp } = object.metadata;
  const deadlineMs = seconds(options.deadlineSeconds ?? row.deadlineSeconds);
  const dueMs = millisOf(deletionTimestamp) + deadlineMs - world.clock.now();
  const graceMs = options.startedAtMs + START_GRACE_MS - world.clock.monotonic();
  return Math.max(dueMs, graceMs);
}
