// Brings a changed configuration to a running host, gives up after some failures, and tries again later (mac-F55 to mac-F61).

import { kubeTime, millisOf, minutes, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Step } from '../../kube/controller.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { MacSettings, MacWorld } from '../world.ts';
import { pushSteps } from './bootstrap/steps.ts';
import { dial, isOutcome, reachableHost, runSteps } from './host-access.ts';
import { isTrue, type MacMachine, nodeName, statusOf } from './mac-machine.ts';
import { configHash, installedOn, setUpOf } from './set-up.ts';
import { BOOTSTRAPPED } from './wire-conditions.ts';

export const GAVE_UP = 'TartKubeletUpdateExceededRetries';

const PAUSE_MS = seconds(60);

/** The wanted configuration is in this process, not in an object: nothing but time shows a change of it. */
const LOOK_AGAIN_MS = minutes(5);

export const configPush: Step<MacMachine, MacWorld> = {
  condition: 'HostConfigured',
  async run(machine, world) {
    if (!isTrue(machine, BOOTSTRAPPED)) return done();
    const wanted = await configHash(machine, world);
    if (wanted === statusOf(machine).hostConfigHash) return done(undefined, LOOK_AGAIN_MS);
    const verdict = mayPush(statusOf(machine), wanted, { nowMs: world.clock.now(), settings: world.settings });
    if (verdict !== 'push') return laterPush(machine, verdict.inMs);
    return push(machine, wanted, world);
  },
};

type PushStatus = Pick<ReturnType<typeof statusOf>, 'failureReason' | 'failedHostConfigHash' | 'lastUpdateFailureTime'>;

/**
 * Whether to push now. After giving up: once the wanted configuration is another than the one given up on (comparing with the
 * applied one would begin anew for ever, mac-F56), or after a while (mac-F57). A missing time counts as long ago.
 */
export function mayPush(
  status: PushStatus,
  wanted: string,
  { nowMs, settings }: { readonly nowMs: number; readonly settings: Pick<MacSettings, 'retryFailedAfterMs'> },
): 'push' | { readonly inMs: number } {
  const failedAtMs = millisOf(status.lastUpdateFailureTime);
  const sinceMs = Number.isNaN(failedAtMs) ? Number.POSITIVE_INFINITY : nowMs - failedAtMs;
  if (status.failureReason === undefined) return sinceMs >= PAUSE_MS ? 'push' : { inMs: PAUSE_MS - sinceMs };
  if (wanted !== status.failedHostConfigHash) return 'push';
  const { retryFailedAfterMs } = settings;
  if (retryFailedAfterMs === 0) return { inMs: Number.POSITIVE_INFINITY };
  return sinceMs >= retryFailedAfterMs ? 'push' : { inMs: retryFailedAfterMs - sinceMs };
}

function laterPush(machine: MacMachine, inMs: number): Outcome {
  const { failureMessage } = statusOf(machine);
  const what = failureMessage ?? 'the next attempt to bring the new configuration to the host';
  const recheckMs = Number.isFinite(inMs) ? inMs : seconds(3600);
  return wait({ port: 'time', subject: 'next push' }, what, recheckMs, { reason: 'ConfigPushPending' });
}

async function push(machine: MacMachine, wanted: string, world: MacWorld): Promise<Outcome> {
  const host = await reachableHost(machine, world);
  if (isOutcome(host)) return host;
  const access = await dial(machine, host, world);
  if ('kind' in access) return pushFailed(machine, { why: `${access.kind}: ${access.why}`, wanted }, world);
  try {
    const setUp = await setUpOf(machine, access, world);
    await runSteps(access.session, await pushSteps(setUp, await installedOn(access.session)));
  } catch (error) {
    return pushFailed(machine, { why: messageOf(error), wanted }, world);
  } finally {
    access.session.close();
  }
  if (statusOf(machine).failureReason !== undefined) {
    world.events.normal(machine, 'AgentRollRetried', 'The host takes the configuration after all');
  }
  world.events.normal(machine, 'AgentRolled', `Node ${nodeName(machine)} runs with configuration ${wanted}`);
  return done({ status: { ...CLEARED, hostConfigHash: wanted, tartKubeletBinarySHA: world.artifacts.agent.digest } });
}

/** The time of the last failure stays: it says how the host did. */
const CLEARED = {
  failureReason: null,
  failureMessage: null,
  failedHostConfigHash: null,
  tartKubeletUpdateAttempts: 0,
};

function pushFailed(
  machine: MacMachine,
  { why, wanted }: { readonly why: string; readonly wanted: string },
  { clock, events, settings }: MacWorld,
): Outcome {
  const isNewGoal = statusOf(machine).failureReason !== undefined;
  const attempts = (isNewGoal ? 0 : (statusOf(machine).tartKubeletUpdateAttempts ?? 0)) + 1;
  events.warning(machine, 'AgentRollFailed', `Attempt ${attempts}: ${why}`);
  const gaveUp = settings.maxPushes > 0 && attempts >= settings.maxPushes;
  const failure = gaveUp
    ? { failureReason: GAVE_UP, failureMessage: `${attempts} pushes failed: ${why}`, failedHostConfigHash: wanted }
    : CLEARED;
  const status = {
    ...failure,
    tartKubeletUpdateAttempts: attempts,
    lastUpdateFailureTime: kubeTime(clock.now()),
  };
  const what = `the next attempt to bring the new configuration to the host; the last one failed: ${why}`;
  return wait({ port: 'ssh', subject: nodeName(machine) }, what, PAUSE_MS, {
    reason: 'AgentRollFailed',
    change: { status },
  });
}
