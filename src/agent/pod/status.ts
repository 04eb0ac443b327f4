// What a Pod's status says, computed from facts. Conditions that others wrote stay (agent: "overwritten whole" is a fault).

import { kubeTime } from '../../base/clock.ts';
import type { ContainerState, ContainerStatus, Pod, PodPhase, PodStatus } from '../../kube/core/pod.ts';
import type { Condition } from '../../kube/object.ts';
import { type Ending, RUN_EXITED } from './exit.ts';
import { BACK_OFF } from './restart.ts';

/** What a status is computed from. */
export interface StatusFacts {
  readonly nowMs: number;
  readonly vm: string;
  /** The address that this host's Pods name as theirs. */
  readonly hostIp: string;
}

type Readiness = { readonly status: 'True' | 'False'; readonly reason?: string };

/** The VM runs. Without an address it is not ready yet. */
export function runningStatus(
  pod: Pod,
  facts: StatusFacts,
  run: { startedMs: number; address: string | undefined },
): PodStatus {
  const before = containerOf(pod);
  const restarted = before.state?.running === undefined && before.lastState?.terminated !== undefined;
  const startedAt = before.state?.running?.startedAt ?? kubeTime(run.startedMs);
  const up = run.address !== undefined;
  const container: ContainerStatus = {
    ...before,
    containerID: `tart://${facts.vm}`,
    ready: up,
    started: up,
    restartCount: before.restartCount + (restarted ? 1 : 0),
    state: { running: { startedAt } },
  };
  const next = statusWith(pod, facts, {
    phase: up ? 'Running' : pod.status?.phase === 'Running' ? 'Running' : 'Pending',
    container,
    ready: up ? { status: 'True' } : notReady('VmBooting'),
  });
  return run.address === undefined ? next : { ...next, podIP: run.address, podIPs: [{ ip: run.address }] };
}

/** Nothing runs yet, or not again yet: `reason` and `message` say what is waited for. */
export function waitingStatus(pod: Pod, facts: StatusFacts, waiting: { reason: string; message: string }): PodStatus {
  const before = containerOf(pod);
  const phase = before.lastState?.terminated === undefined ? 'Pending' : (pod.status?.phase ?? 'Pending');
  return statusWith(pod, facts, {
    phase,
    container: { ...before, ready: false, started: false, state: { waiting } },
    ready: notReady('ContainersNotReady'),
  });
}

/** The VM could not be made or started; it is tried again. */
export function createFailedStatus(pod: Pod, facts: StatusFacts, message: string): PodStatus {
  const waiting = { reason: 'TartCreateFailed', message };
  return { ...waitingStatus(pod, facts, waiting), ...(hasRun(pod) ? {} : { reason: waiting.reason, message }) };
}

/** The VM ended and is to start again. */
export function restartingStatus(pod: Pod, facts: StatusFacts, ending: Ending): PodStatus {
  const before = containerOf(pod);
  return statusWith(pod, facts, {
    phase: 'Running',
    container: {
      ...before,
      ready: false,
      started: false,
      lastState: { terminated: terminatedOf(pod, facts, ending) },
      state: {
        waiting: { reason: ending.backsOff ? BACK_OFF : 'ContainerCreating', message: 'the VM starts again' },
      },
    },
    ready: notReady('ContainersNotReady'),
  });
}

/** The VM ended for good. */
export function endedStatus(pod: Pod, facts: StatusFacts, ending: Ending): PodStatus {
  const succeeded = ending.exitCode === 0;
  const next = statusWith(pod, facts, {
    phase: succeeded ? 'Succeeded' : 'Failed',
    container: {
      ...containerOf(pod),
      ready: false,
      started: false,
      state: { terminated: terminatedOf(pod, facts, ending) },
    },
    ready: notReady(succeeded ? 'PodCompleted' : 'PodFailed'),
  });
  return { ...next, reason: RUN_EXITED, ...(ending.message === undefined ? {} : { message: ending.message }) };
}

/** Another host of this Node's name has the VM: this host neither runs nor releases the Pod (safe-8). */
export function replacedStatus(pod: Pod): PodStatus {
  const unready = (each: Condition): Condition =>
    each.type === 'Ready' || each.type === 'ContainersReady'
      ? { ...each, status: 'False', reason: 'HostReplaced' }
      : each;
  return {
    ...pod.status,
    ...(pod.status?.conditions === undefined ? {} : { conditions: pod.status.conditions.map(unready) }),
    ...(pod.status?.containerStatuses === undefined
      ? {}
      : { containerStatuses: pod.status.containerStatuses.map(each => ({ ...each, ready: false, started: false })) }),
    phase: 'Failed',
    reason: 'HostReplaced',
    message: 'the Pod was taken by another host of this Node name; its finalizer goes when that host is released',
  };
}

/** Whether the status says that a VM of this Pod was running. */
export const hasRun = (pod: Pod): boolean => {
  const container = pod.status?.containerStatuses?.[0];
  return container?.state?.running !== undefined || container?.lastState?.terminated !== undefined;
};

/** The published container status, or a blank one. */
export function containerOf(pod: Pod): ContainerStatus {
  const { name = 'vm', image = '' } = pod.spec.containers[0] ?? {};
  return pod.status?.containerStatuses?.[0] ?? { name, image, imageID: '', ready: false, restartCount: 0 };
}

function terminatedOf(pod: Pod, facts: StatusFacts, ending: Ending): NonNullable<ContainerState['terminated']> {
  const startedAt = containerOf(pod).state?.running?.startedAt;
  return {
    exitCode: ending.exitCode,
    reason: ending.reason,
    ...(ending.message === undefined ? {} : { message: ending.message }),
    ...(startedAt === undefined ? {} : { startedAt }),
    finishedAt: kubeTime(ending.finishedMs),
    containerID: `tart://${facts.vm}`,
  };
}

interface Parts {
  readonly phase: PodPhase;
  readonly container: ContainerStatus;
  readonly ready: Readiness;
}

function statusWith(pod: Pod, facts: StatusFacts, { phase, container, ready }: Parts): PodStatus {
  const { reason: _reason, message: _message, ...kept } = pod.status ?? {};
  const types = ['Initialized', 'ContainersReady', 'Ready'];
  const own = types.map(type => ({ type, ...(type === 'Initialized' ? { status: 'True' as const } : ready) }));
  return {
    ...kept,
    phase,
    hostIP: facts.hostIp,
    startTime: pod.status?.startTime ?? kubeTime(facts.nowMs),
    containerStatuses: [container],
    conditions: mergeConditions(pod.status?.conditions ?? [], own, facts.nowMs),
  };
}

/** Own conditions are set, others stay; a transition is dated only when the status changes, and what the API filled in is no change. */
function mergeConditions(
  before: readonly Condition[],
  own: readonly Omit<Condition, 'lastTransitionTime'>[],
  nowMs: number,
): readonly Condition[] {
  const others = before.filter(condition => !own.some(mine => mine.type === condition.type));
  const merged = own.map(mine => {
    const old = before.find(({ type }) => type === mine.type);
    const { reason: _reason, message: _message, ...rest } = old ?? mine;
    const lastTransitionTime = old?.status === mine.status ? old.lastTransitionTime : kubeTime(nowMs);
    return { ...rest, ...mine, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
  });
  return [...merged, ...others];
}

const notReady = (reason: string): Readiness => ({ status: 'False', reason });
