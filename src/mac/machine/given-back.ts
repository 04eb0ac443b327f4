// Gives up on a host that takes no set-up: it goes back to the pool, wiped, and the machine looks for another one (mac-F52).

import type { Step } from '../../kube/controller.ts';
import { done, wait } from '../../kube/outcome.ts';
import type { MacWorld } from '../world.ts';
import { ADOPTED_HOST } from './adoption-record.ts';
import { giveBack } from './deletion.ts';
import { failuresOf, rungFor } from './failure-ladder.ts';
import { isTrue, type MacMachine, providerIdOf } from './mac-machine.ts';
import { BOOTSTRAPPED, PROVISIONED, wireFalse } from './wire-conditions.ts';

export const givenBack: Step<MacMachine, MacWorld> = {
  condition: 'HostKept',
  async run(machine, world) {
    if (isTrue(machine, BOOTSTRAPPED)) return done();
    if (rungFor(failuresOf(machine, world.settings), world.settings) !== 'give back') return done();
    const outcome = await giveBack(machine, world);
    // A host whose return fails is kept, and counted on: no second one is taken meanwhile (mac-F20).
    if (outcome.kind === 'wait') {
      return wait(outcome.on, `the host's return to the pool: ${outcome.what}`, outcome.recheckMs, {
        reason: 'GivingHostBack',
        ...(outcome.change === undefined ? {} : { change: outcome.change }),
      });
    }
    const message = `Host ${providerIdOf(machine)} took no set-up and is back in the pool`;
    world.events.warning(machine, 'BootstrapExhausted', message);
    return done({
      spec: { providerID: null },
      annotations: { [ADOPTED_HOST]: null },
      status: {
        serverID: null,
        addresses: null,
        ready: false,
        bootstrapAttempts: 0,
        bootstrapRebootIssued: false,
      },
      conditions: [wireFalse(PROVISIONED, 'HostReleased', message), wireFalse(BOOTSTRAPPED, 'HostReleased', message)],
    });
  },
};
