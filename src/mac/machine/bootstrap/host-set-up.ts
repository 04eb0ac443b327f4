// Turns an adopted Mac into a Node, step by step; every step repeats safely.

import { seconds } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Step } from '../../../kube/controller.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { hostLost } from '../../host-shell.ts';
import type { MacWorld } from '../../world.ts';
import { afterFailure } from '../failure-ladder.ts';
import { type Access, runStep, runSteps, stepFailed } from '../host-access.ts';
import { isTrue, type MacMachine, nodeName } from '../mac-machine.ts';
import { configHash, installedOn, setUpOf } from '../set-up.ts';
import { BOOTSTRAPPED, waitAs, wireTrue } from '../wire-conditions.ts';
import { isOpen, openForSetUp } from './open-for-set-up.ts';
import { type SetUp, setUpSteps, sudoStep } from './steps.ts';

export const hostSetUp: Step<MacMachine, MacWorld> = {
  condition: 'HostSetUp',
  async run(machine, world) {
    if (isTrue(machine, BOOTSTRAPPED)) return done();
    const access = await openForSetUp(machine, world);
    if (!isOpen(access)) return access;
    world.events.normal(machine, 'Bootstrapping', `Setting up ${access.server.ip} as Node ${nodeName(machine)}`);
    try {
      return await setUpOver(machine, access, world);
    } finally {
      access.session.close();
    }
  },
};

async function setUpOver(machine: MacMachine, access: Access, world: MacWorld): Promise<Outcome> {
  const setUp = await identified(machine, access, world);
  if ('kind' in setUp) return setUp;
  try {
    await runStep(access.session, sudoStep(access));
    await runSteps(access.session, await setUpSteps(setUp, await installedOn(access.session)));
  } catch (error) {
    if (!stepFailed.is(error) && !hostLost.is(error)) throw error;
    return afterFailure(machine, messageOf(error), world);
  }
  world.events.normal(machine, 'Bootstrapped', `Host ${access.server.ip} runs the agent of Node ${nodeName(machine)}`);
  return done({
    status: {
      ready: true,
      addresses: [{ type: 'ExternalIP', address: access.server.ip }],
      bootstrapAttempts: 0,
      bootstrapRebootIssued: false,
      hostConfigHash: await configHash(machine, world),
      tartKubeletBinarySHA: world.artifacts.agent.digest,
    },
    conditions: [wireTrue(BOOTSTRAPPED)],
  });
}

/** That the cluster gives the agent no identity is no failure of the host, and is not counted as one. */
async function identified(machine: MacMachine, access: Access, world: MacWorld): Promise<SetUp | Outcome> {
  try {
    return await setUpOf(machine, access, world);
  } catch (error) {
    const what = `an identity for the agent: ${messageOf(error)}`;
    const on = { port: 'api', subject: 'node identity' };
    return waitAs(BOOTSTRAPPED, wait(on, what, seconds(30), { reason: 'NodeIdentityUnavailable' }));
  }
}
