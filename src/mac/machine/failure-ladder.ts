// What follows a failed set-up: another try, one reboot, and at last the host's return to the pool (mac-F51 to mac-F53).

import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Outcome, wait } from '../../kube/outcome.ts';
import { serverBusy, serverNotThere } from '../cloud.ts';
import type { MacSettings, MacWorld } from '../world.ts';
import { type MacMachine, nodeName, poolPrefixOf, providerIdOf, serverOf, statusOf } from './mac-machine.ts';
import { BOOTSTRAPPED, wireFalse } from './wire-conditions.ts';

export type Rung = 'try again' | 'reboot' | 'give back';

export interface Failures {
  readonly attempts: number;
  readonly rebooted: boolean;
  /** Without a host or a prefix nothing can be given back (mac-F21). */
  readonly canGiveBack: boolean;
}

/** The higher rung first; either can be disabled. Thresholds are reached, not hit: a count may be skipped (mac-F51). */
export function rungFor(failures: Failures, settings: Pick<MacSettings, 'rebootAfter' | 'giveBackAfter'>): Rung {
  const { attempts, rebooted, canGiveBack } = failures;
  const { rebootAfter, giveBackAfter } = settings;
  if (giveBackAfter > 0 && attempts >= giveBackAfter && canGiveBack) return 'give back';
  if (rebootAfter > 0 && attempts >= rebootAfter && !rebooted) return 'reboot';
  return 'try again';
}

export function failuresOf(machine: MacMachine, settings: MacSettings): Failures {
  const { bootstrapAttempts = 0, bootstrapRebootIssued = false } = statusOf(machine);
  return {
    attempts: bootstrapAttempts,
    rebooted: bootstrapRebootIssued,
    canGiveBack: providerIdOf(machine) !== undefined && poolPrefixOf(machine, settings) !== '',
  };
}

const PAUSE_MS = seconds(60);

/** Counts the failure and climbs. Giving back is the next pass's work: it is found again from the count alone. */
export async function afterFailure(machine: MacMachine, why: string, world: MacWorld): Promise<Outcome> {
  const before = failuresOf(machine, world.settings);
  const failures = { ...before, attempts: before.attempts + 1 };
  const rung = rungFor(failures, world.settings);
  world.events.warning(machine, 'BootstrapFailed', `Attempt ${failures.attempts}: ${why}`);
  const rebooted = rung === 'reboot' ? await reboot(machine, world) : failures.rebooted;
  const pauseMs = rung === 'give back' ? 0 : PAUSE_MS;
  world.attempts.hold(machine.metadata.uid ?? '', pauseMs);
  const what = `attempt ${failures.attempts + 1} to set up the host; the last one failed: ${why}`;
  return wait({ port: 'ssh', subject: nodeName(machine) }, what, Math.max(pauseMs, seconds(1)), {
    reason: 'BootstrapFailed',
    change: {
      status: { bootstrapAttempts: failures.attempts, bootstrapRebootIssued: rebooted },
      conditions: [wireFalse(BOOTSTRAPPED, 'BootstrapFailed', what)],
    },
  });
}

/** Whether the one reboot is used up: one that the cloud refused is not. */
async function reboot(machine: MacMachine, { cloud, events }: MacWorld): Promise<boolean> {
  const server = serverOf(providerIdOf(machine));
  if (server === undefined) return false;
  try {
    await cloud.reboot(server);
  } catch (error) {
    if (!serverNotThere.is(error) && !serverBusy.is(error)) {
      events.warning(machine, 'RebootForRecoveryFailed', messageOf(error));
      return false;
    }
  }
  events.normal(machine, 'RebootingForRecovery', 'The host does not take the set-up: it is rebooted once');
  return true;
}
