// Ends what an earlier user of a rented Mac left running, once, before this machine's agent ever starts there (safe-11).

import { messageOf } from '../../../base/errors.ts';
import type { Step } from '../../../kube/controller.ts';
import { done, type Outcome } from '../../../kube/outcome.ts';
import { hostLost } from '../../host-shell.ts';
import type { MacWorld } from '../../world.ts';
import { adoptionOf } from '../adoption-record.ts';
import { afterFailure } from '../failure-ladder.ts';
import { type Access, runStep, stepFailed } from '../host-access.ts';
import { isTrue, type MacMachine, providerIdOf } from '../mac-machine.ts';
import { cleanSinceMs } from '../other-machines.ts';
import { recordCleanStart } from '../release-record.ts';
import { BOOTSTRAPPED } from '../wire-conditions.ts';
import { isOpen, openForSetUp } from './open-for-set-up.ts';
import { cleanStartStep, sudoStep } from './steps.ts';

/**
 * The record is written before the next step starts the agent: from then on the host's VMs are this machine's own. Hosts that
 * another controller adopted (safe-26), and those already started clean, are never touched by this.
 */
export const startClean: Step<MacMachine, MacWorld> = {
  condition: 'StartedClean',
  async run(machine, world) {
    const hostId = providerIdOf(machine);
    const isNew = hostId !== undefined && adoptionOf(machine)?.hostId === hostId;
    if (hostId === undefined || !isNew || isTrue(machine, BOOTSTRAPPED)) return done();
    if (cleanSinceMs(machine, hostId) !== undefined) return done();
    const access = await openForSetUp(machine, world);
    return isOpen(access) ? clean(machine, access, { hostId, world }) : access;
  },
};

async function clean(
  machine: MacMachine,
  access: Access,
  { hostId, world }: { readonly hostId: string; readonly world: MacWorld },
): Promise<Outcome> {
  const { session, server } = access;
  const startedAtMs = world.clock.now();
  try {
    await runStep(session, sudoStep(access));
    const { stdout } = await runStep(session, cleanStartStep({ user: server.sshUser }));
    world.events.normal(machine, 'StartedClean', `VMs of earlier use removed from the host: ${stdout.trim()}`);
    return done(recordCleanStart(startedAtMs, hostId));
  } catch (error) {
    if (!stepFailed.is(error) && !hostLost.is(error)) throw error;
    return afterFailure(machine, messageOf(error), world);
  } finally {
    session.close();
  }
}
