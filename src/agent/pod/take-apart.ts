// Takes a deleted Pod's VM down: the guest is asked, then stopped hard, then the VM goes, and the Pod's object last.

import { millisOf, seconds } from '../../base/clock.ts';
import { isTerminal, type Pod } from '../../kube/core/pod.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { runtimeFailed } from '../vm-errors.ts';
import type { AgentWorld } from '../world.ts';
import { EXIT_FILE, endingOf } from './exit.ts';
import type { PodVm } from './find-vm.ts';
import { endedStatus, hasRun, type StatusFacts } from './status.ts';
import { letGo, publish } from './writes.ts';

const ASK_RECHECK_MS = seconds(1);
const UNKNOWN_RECHECK_MS = seconds(10);
/** For tart to end its process; the guest had its grace before. */
const HARD_STOP_SECONDS = 10;

/** Level-triggered: each pass looks at the process and the clock, and remembers nothing that it could not lose. */
export async function takeApart(pod: Pod, vm: PodVm, world: AgentWorld): Promise<Outcome> {
  const process = await world.runtime.process(vm.name);
  if (process.kind === 'unknown') {
    return wait(
      { port: 'tart', subject: vm.name },
      `to see whether the VM still runs: ${process.reason}`,
      UNKNOWN_RECHECK_MS,
    );
  }
  if (process.kind === 'present') {
    const left = graceLeftMs(pod, world.clock.now());
    if (left > 0) return askGuest(vm.name, left, world);
    await world.runtime.stop(vm.name, HARD_STOP_SECONDS);
  }
  const ended = await publishEnd(pod, vm.name, world);
  const gone = await destroyVm(ended, vm.name, 0, world);
  if (gone.kind === 'wait') return gone;
  await letGo(ended, world);
  return done();
}

/** The deletion timestamp is the deadline: the time of the request with the grace added. */
function graceLeftMs(pod: Pod, nowMs: number): number {
  if (pod.metadata.deletionGracePeriodSeconds === 0) return 0;
  const deadlineMs = millisOf(pod.metadata.deletionTimestamp);
  return Number.isFinite(deadlineMs) ? deadlineMs - nowMs : 0;
}

async function askGuest(vm: string, leftMs: number, world: AgentWorld): Promise<Outcome> {
  const moment = world.moments.of(vm);
  if (moment.shutDownMs === undefined) {
    moment.shutDownMs = world.clock.monotonic();
    await world.runtime.shutDown(vm);
  }
  const recheckMs = Math.min(ASK_RECHECK_MS, leftMs);
  return wait({ port: 'tart', subject: vm }, 'the guest to shut down, within its grace period', recheckMs);
}

/** The object leaves last: first it says how its VM ended, where one ran. */
async function publishEnd(pod: Pod, vm: string, world: AgentWorld): Promise<Pod> {
  if (isTerminal(pod) || !hasRun(pod)) return pod;
  const { runtime, host, clock, self } = world;
  const facts: StatusFacts = { nowMs: clock.now(), vm, hostIp: self.hostIp };
  const [exit, report] = [await runtime.lastExit(vm), await host.guestFile(vm, EXIT_FILE)];
  return publish(pod, endedStatus(pod, facts, endingOf({ report, exit, nowMs: facts.nowMs })), world);
}

/** Stops what still runs, removes VM, files and notes, and looks whether it is gone. `done` means: nothing is left. */
export async function destroyVm(pod: Pod, vm: string, graceSeconds: number, world: AgentWorld): Promise<Outcome> {
  const { runtime, host, records, moments, shelf } = world;
  const process = await runtime.process(vm);
  if (process.kind !== 'absent') await runtime.stop(vm, Math.max(graceSeconds, HARD_STOP_SECONDS));
  await runtime.delete(vm);
  const left = await runtime.onDisk(vm);
  if (left.kind === 'unknown') throw runtimeFailed(`tart get ${vm}`, left.reason);
  if (left.kind === 'present') return wait({ port: 'tart', subject: vm }, 'the VM to be deleted', UNKNOWN_RECHECK_MS);

  await host.unstage(vm);
  await records.dropVm(vm);
  moments.forget(vm);
  shelf.forget(pod.metadata.uid ?? '');
  return done();
}
