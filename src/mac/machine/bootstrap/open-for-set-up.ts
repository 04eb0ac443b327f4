// Opens a host for its set-up, in its own time: after the claim has settled, after a pause, while it may still boot.

import { millisOf, seconds } from '../../../base/clock.ts';
import { type Outcome, wait } from '../../../kube/outcome.ts';
import type { MacWorld } from '../../world.ts';
import { adoptionOf } from '../adoption-record.ts';
import { afterFailure } from '../failure-ladder.ts';
import { type Access, dial, isOutcome, reachableHost } from '../host-access.ts';
import { conditionOf, type MacMachine, nodeName } from '../mac-machine.ts';
import { BOOTSTRAPPED, waitAs } from '../wire-conditions.ts';

export const isOpen = (value: Access | Outcome): value is Access => 'session' in value;

/** The open host, or what is waited for instead. */
export async function openForSetUp(machine: MacMachine, world: MacWorld): Promise<Access | Outcome> {
  const pauseMs = world.attempts.heldMs(machine.metadata.uid ?? '');
  if (pauseMs > 0) return nextAttempt(machine, pauseMs);
  const settlesMs = untilClaimSettles(machine, world);
  if (settlesMs > 0) return wait({ port: 'time', subject: 'claim' }, 'the claim to settle', settlesMs);
  const host = await reachableHost(machine, world);
  if (isOutcome(host)) return host.kind === 'wait' ? waitAs(BOOTSTRAPPED, host) : host;
  const access = await dial(machine, host, world);
  if ('kind' in access) return notOpened(machine, access, world);
  world.attempts.heard(machine.metadata.uid ?? '');
  return access;
}

/** A failure's status write wakes the next pass at once; the host is given its time all the same. */
function nextAttempt(machine: MacMachine, pauseMs: number): Outcome {
  const { reason, message = '' } = conditionOf(machine, BOOTSTRAPPED) ?? {};
  const more = reason === undefined ? {} : { reason };
  return wait({ port: 'time', subject: 'next attempt' }, message, pauseMs, more);
}

/** Until then another claimant's name may still appear on the host (mac-F13). */
function untilClaimSettles(machine: MacMachine, { clock, settings }: MacWorld): number {
  const adopted = adoptionOf(machine);
  return adopted === undefined ? 0 : millisOf(adopted.time) + settings.claimSettlesMs - clock.now();
}

/** Silence within the window is a host that still boots; everything else is a failed attempt. */
async function notOpened(
  machine: MacMachine,
  { kind, why }: { readonly kind: string; readonly why: string },
  world: MacWorld,
): Promise<Outcome> {
  const uid = machine.metadata.uid ?? '';
  if (kind === 'unreachable' && world.attempts.silentMs(uid) < world.settings.dialWindowMs) {
    const where = { port: 'ssh', subject: nodeName(machine) };
    return waitAs(BOOTSTRAPPED, wait(where, 'the host to answer on SSH', seconds(10), { reason: 'HostSilent' }));
  }
  world.attempts.heard(uid);
  return afterFailure(machine, `${kind}: ${why}`, world);
}
