// Takes one finalizer off, on a proof, with a lock: the only way another party's finalizer ever goes.

import { type Clock, kubeTime } from '../base/clock.ts';
import { invariant } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Api } from '../kube/api.ts';
import type { Events } from '../kube/controller.ts';
import { takeOff } from '../kube/finalizers.ts';
import type { Kind } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Absent } from './proof.ts';

export interface ReleaseWorld {
  readonly api: Api;
  readonly clock: Clock;
  readonly events: Events;
  readonly metrics: Metrics;
}

/** What is released, and what the proof has to be about. */
export interface Held {
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly finalizer: string;
  readonly subject: string;
}

/** Releases on a proof. Throws InvariantBroken when the proof is about something else or no longer fresh (safe-21). */
export async function release(world: ReleaseWorld, held: Held, proof: Absent): Promise<void> {
  invariant(proof.subject === held.subject, 'a proof is spent on what this object holds', {
    proof,
    held: held.subject,
  });
  invariant(proof.isStillTrue(world.clock), 'a proof is fresh when spent (safe-21)', proof);
  // The resourceVersion is the lock: a writer in between ends in a Conflict.
  await takeOff(world.api, held.kind, held.object, held.finalizer);
  world.metrics
    .counter({
      name: 'pippin_finalizers_released_total',
      help: 'Finalizers released on a proof',
      labels: ['finalizer'],
    })
    .add({ finalizer: held.finalizer });
  world.events.normal(held.object, 'FinalizerReleased', `${held.finalizer}: ${proof.because} (${traceOf(proof)})`);
}

/** The evidence, as the event keeps it: "scaleway, server 42: absent at …". */
function traceOf(proof: Absent): string {
  return proof.evidence
    .map(({ asked, subject, answer, wallMs }) => `${asked}, ${subject}: ${answer} at ${kubeTime(wallMs)}`)
    .join('; ');
}
