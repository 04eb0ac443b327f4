// Keeps a Pod's VM as the Pod wants it: the process says whether it runs, and each pass takes the one next step.

import { kubeTime, seconds } from '../../base/clock.ts';
import type { Container, ContainerStatus, Pod } from '../../kube/core/pod.ts';
import { isTerminal } from '../../kube/core/pod.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { poolOf } from '../metrics.ts';
import type { VmProcess } from '../vm-runtime.ts';
import type { AgentWorld } from '../world.ts';
import { type Ending, EXIT_FILE, endingOf } from './exit.ts';
import { noteAdopted, type PodVm } from './find-vm.ts';
import { dueMs, startsAgain } from './restart.ts';
import { type Start, startVm } from './start.ts';
import { containerOf, endedStatus, hasRun, restartingStatus, runningStatus, type StatusFacts } from './status.ts';
import { destroyVm } from './take-apart.ts';
import { isProtected, protect, publish } from './writes.ts';

const RUNNING_RECHECK_MS = seconds(5);
const BOOTING_RECHECK_MS = seconds(1);
const UNKNOWN_RECHECK_MS = seconds(10);

export async function keepVm(pod: Pod, container: Container, vm: PodVm, world: AgentWorld): Promise<Outcome> {
  if (isTerminal(pod)) return tidy(pod, vm, world);

  const nodeUid = world.self.node?.metadata.uid;
  if (nodeUid === undefined) return wait({ port: 'time', subject: 'Node' }, 'the Node to be registered', seconds(1));
  // Noted before the stamp, by whose absence it was recognised.
  if (vm.adopted) await noteAdopted(pod, vm.name, world);
  if (!isProtected(pod, world.self.hostId)) {
    await protect(pod, nodeUid, world);
    return done(undefined, seconds(5));
  }
  const facts: StatusFacts = { nowMs: world.clock.now(), vm: vm.name, hostIp: world.self.hostIp };
  const process = await world.runtime.process(vm.name);
  if (process.kind === 'unknown') {
    // Taken for alive: what is published stays (agent-17).
    return wait(
      { port: 'tart', subject: vm.name },
      `to see whether the VM runs: ${process.reason}`,
      UNKNOWN_RECHECK_MS,
    );
  }
  if (process.kind === 'present') return reportRunning(pod, process.value, facts, world);
  return notRunning({ pod, container, vm, facts }, world);
}

/** An ended Pod's VM has no further use; it goes once its end is published (agent-29, agent-35). */
async function tidy(pod: Pod, vm: PodVm, world: AgentWorld): Promise<Outcome> {
  if (vm.record === undefined) return done();
  return destroyVm(pod, vm.name, 0, world);
}

async function reportRunning(pod: Pod, process: VmProcess, facts: StatusFacts, world: AgentWorld): Promise<Outcome> {
  // Asked for until it is known; afterwards nothing is read into it, for it answers for halted VMs too (agent-14).
  const known = containerOf(pod).ready && containerOf(pod).state?.running !== undefined ? pod.status?.podIP : undefined;
  const address = known ?? (await world.runtime.address(facts.vm));
  const startedMs = process.startedMs ?? facts.nowMs;
  await publish(pod, runningStatus(pod, facts, { startedMs, address }), world);
  if (address === undefined) return done(undefined, BOOTING_RECHECK_MS);
  noteAddress(pod, facts.vm, world);
  return done(undefined, RUNNING_RECHECK_MS);
}

function noteAddress(pod: Pod, vm: string, { moments, clock, counts }: AgentWorld): void {
  const moment = moments.of(vm);
  if (moment.startedMs === undefined || moment.addressSeen === true) return;
  moment.addressSeen = true;
  counts.boot.observe((clock.monotonic() - moment.startedMs) / 1000, { pool: poolOf(pod) });
}

/** Never started, ended, or waiting for its next start. */
async function notRunning(start: Start, world: AgentWorld): Promise<Outcome> {
  const { pod, vm, facts } = start;
  const ending = await unseenEnding(pod, vm.name, world);
  if (ending !== undefined && !startsAgain(pod, ending.exitCode)) {
    const ended = await publish(pod, endedStatus(pod, facts, ending), world);
    return tidy(ended, vm, world);
  }
  const now = ending === undefined ? pod : await publish(pod, restartingStatus(pod, facts, ending), world);
  if (ending !== undefined) world.log.info('a VM ended and starts again', { vm: vm.name, exitCode: ending.exitCode });
  const due = dueMs(containerOf(now));
  if (due > facts.nowMs) {
    return wait(
      { port: 'time', subject: kubeTime(due) },
      'the back-off before the next start to pass',
      due - facts.nowMs,
    );
  }
  return startVm({ ...start, pod: now }, world);
}

/** How the last run ended, if that is not in the status yet. Undefined also when nothing has run. */
async function unseenEnding(pod: Pod, vm: string, { runtime, host, clock }: AgentWorld): Promise<Ending | undefined> {
  const exit = await runtime.lastExit(vm);
  const container = containerOf(pod);
  if (exit === undefined && container.state?.running === undefined) return undefined;
  if (exit !== undefined && isAccounted(container, exit.finishedMs)) return undefined;
  if (exit === undefined && !hasRun(pod)) return undefined;
  // Read before anything is cleaned up (agent-35).
  return endingOf({ report: await host.guestFile(vm, EXIT_FILE), exit, nowMs: clock.now() });
}

const isAccounted = ({ lastState }: ContainerStatus, finishedMs: number): boolean =>
  lastState?.terminated?.finishedAt === kubeTime(finishedMs);
