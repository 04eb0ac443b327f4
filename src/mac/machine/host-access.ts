// Gets into a machine's host: only after the cloud has said, by id, that it still bears this machine's name.

import { seconds } from '../../base/clock.ts';
import { defineError } from '../../base/errors.ts';
import { type Outcome, wait } from '../../kube/outcome.ts';
import type { MacServer } from '../cloud.ts';
import type { HostSession, HostStep, Opened, StepResult } from '../host-shell.ts';
import type { SecretText } from '../secret-text.ts';
import type { MacWorld } from '../world.ts';
import { credentialsOf, pinHostKey } from './credentials.ts';
import { ensureFleetKey } from './fleet-key.ts';
import { claimName, type MacMachine, providerIdOf, serverOf } from './mac-machine.ts';

/** A step ended with another code than 0. */
export const stepFailed = defineError('PIPPIN_E_HOST_STEP', {
  retry: 'backoff',
  remedy: 'The message is the host’s own; the set-up is tried again, then the host is rebooted, then given back',
  says: (step: string, exitCode: number, said: string) => `Step ${step} ended with ${exitCode}: ${said}`,
});

export interface Access {
  readonly session: HostSession;
  readonly server: MacServer;
  /** Empty when none is stored; only the first set-up needs it. */
  readonly password: SecretText;
}

/** The host as it may be touched now, or what must be waited for. */
export async function reachableHost(machine: MacMachine, world: MacWorld): Promise<MacServer | Outcome> {
  const ref = serverOf(providerIdOf(machine));
  if (ref === undefined) return wait({ port: 'scaleway', subject: 'no host' }, 'a host', seconds(30));
  const where = { port: 'scaleway', subject: `server ${ref.zone}/${ref.id}` };
  const seen = await world.cloud.server(ref);
  if (seen.kind === 'unknown') return wait(where, `the cloud to tell about the host: ${seen.reason}`, seconds(30));
  if (seen.kind === 'absent') {
    return wait(where, `the host: the cloud knows no ${where.subject}`, seconds(60), { reason: 'HostNotInCloud' });
  }
  const { name, status } = seen.value;
  if (name !== claimName(machine)) {
    const what = `the host to be this machine's again: it bears the name ${name}, so it is left alone`;
    return wait(where, what, seconds(60), { reason: 'HostRenamed' });
  }
  if (status !== 'ready')
    return wait(where, `the host to be ready: it is ${status}`, seconds(10), { reason: 'HostBusy' });
  return seen.value;
}

export const isOutcome = (value: MacServer | Outcome): value is Outcome => 'kind' in value;

/** Dials once, as the fleet. A key that the host shows for the first time is pinned, whatever comes then (mac-F44). */
export async function dial(
  machine: MacMachine,
  server: MacServer,
  world: MacWorld,
): Promise<Access | Exclude<Opened, { kind: 'open' }>> {
  const known = await credentialsOf(machine, world);
  const { privateKey } = await ensureFleetKey(machine, world);
  const pinned = known?.fingerprint;
  const opened = await world.shell.open({
    address: server.ip,
    user: server.sshUser,
    key: privateKey,
    ...(pinned === undefined ? {} : { pinned }),
  });
  if (opened.kind === 'unreachable' || opened.kind === 'keyChanged') return opened;
  if (pinned === undefined) await pinHostKey(machine, opened.fingerprint, world);
  if (opened.kind !== 'open') return opened;
  return { session: opened.session, server, password: known?.password ?? server.sudoPassword };
}

export async function runSteps(session: HostSession, steps: readonly HostStep[]): Promise<void> {
  for (const step of steps) await runStep(session, step);
}

export async function runStep(session: HostSession, step: HostStep): Promise<StepResult> {
  const result = await session.run(step);
  if (result.exitCode === 0) return result;
  throw stepFailed(step.name, result.exitCode, lastLines(result.stderr));
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join('; ').slice(-500);
}
