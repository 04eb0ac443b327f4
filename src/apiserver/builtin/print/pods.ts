// A Pod's row: how many containers are ready, the one word that says how it is, how often they were restarted.

import { millisOf } from '../../../base/clock.ts';
import { humanDuration } from '../../answer/age.ts';
import type { JsonObject } from '../../parts.ts';
import { isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { age, type Cells, countAt, hasCondition, isDeleting, NONE, nameOf, orElse, specOf, statusOf } from './cells.ts';

export const podCells: Cells = (pod, nowMs) => {
  const { ready, total, reason, restarts, lastRestart } = progressOf(pod);
  const count =
    restarts > 0 && lastRestart > 0 ? `${restarts} (${humanDuration(nowMs - lastRestart)} ago)` : String(restarts);
  const [spec, status] = [specOf(pod), statusOf(pod)];
  return [
    nameOf(pod),
    `${ready}/${total}`,
    endingOf(pod) ?? reason,
    count,
    age(pod, nowMs),
    orElse(textAt(objectsAt(status, 'podIPs')[0] ?? {}, 'ip'), NONE),
    orElse(textAt(spec, 'nodeName'), NONE),
    orElse(textAt(status, 'nominatedNodeName'), NONE),
    readinessGates(pod),
  ];
};

interface Progress {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** Milliseconds since 1970; 0 when there was none. */
  readonly lastRestart: number;
}

/** First the init containers; once they are through, the others say how the Pod is. */
function progressOf(pod: JsonObject): Progress {
  const sidecars = new Set(
    objectsAt(specOf(pod), 'initContainers')
      .filter(container => container.restartPolicy === 'Always')
      .map(container => container.name),
  );
  const total = objectsAt(specOf(pod), 'containers').length + sidecars.size;
  const init = initProgress(pod, sidecars);
  if (init.isUnderWay && !hasCondition(pod, 'Initialized')) {
    const { ready, reason } = init;
    const statuses = objectsAt(statusOf(pod), 'initContainerStatuses').slice(0, init.seen);
    return { ready, total, reason, ...restartsOf(statuses) };
  }
  const statuses = objectsAt(statusOf(pod), 'containerStatuses');
  const { ready, reason } = mainProgress(pod, init.reason, statuses);
  const counted = objectsAt(statusOf(pod), 'initContainerStatuses')
    .slice(0, init.seen)
    .filter(status => sidecars.has(status.name));
  return { ready: init.ready + ready, total, reason, ...restartsOf([...counted, ...statuses]) };
}

function restartsOf(statuses: readonly JsonObject[]): Pick<Progress, 'restarts' | 'lastRestart'> {
  const ends = statuses.map(status => {
    const ended = textAt(objectAt(objectAt(status, 'lastState'), 'terminated'), 'finishedAt');
    return millisOf(ended === '' ? undefined : ended) || 0;
  });
  return {
    restarts: statuses.reduce((sum, status) => sum + countAt(status, 'restartCount'), 0),
    lastRestart: Math.max(0, ...ends),
  };
}

/** Before any container is looked at: the phase, unless the Pod has a reason of its own. */
function firstReason(pod: JsonObject): string {
  const gated = objectsAt(statusOf(pod), 'conditions').some(
    condition => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
  );
  if (gated) return 'SchedulingGated';
  return orElse(textAt(statusOf(pod), 'reason'), textAt(statusOf(pod), 'phase'));
}

interface InitProgress {
  readonly ready: number;
  readonly reason: string;
  readonly isUnderWay: boolean;
  /** Statuses that were looked at: those after the one under way say nothing yet. */
  readonly seen: number;
}

function initProgress(pod: JsonObject, sidecars: ReadonlySet<unknown>): InitProgress {
  const statuses = objectsAt(statusOf(pod), 'initContainerStatuses');
  const count = objectsAt(specOf(pod), 'initContainers').length;
  let ready = 0;
  for (const [index, status] of statuses.entries()) {
    const state = objectAt(status, 'state');
    const isRunningSidecar = sidecars.has(status.name) && status.started === true;
    const isDone = isObject(state.terminated) && countAt(state.terminated, 'exitCode') === 0;
    if (!isDone && !isRunningSidecar) {
      return { ready, reason: initReason(state, index, count), isUnderWay: true, seen: index + 1 };
    }
    if (!isDone && status.ready === true) ready++;
  }
  return { ready, reason: firstReason(pod), isUnderWay: false, seen: statuses.length };
}

function initReason(state: JsonObject, index: number, count: number): string {
  if (isObject(state.terminated)) return `Init:${endText(state.terminated)}`;
  const waiting = textAt(objectAt(state, 'waiting'), 'reason');
  return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${count}`;
}

function endText(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = countAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${countAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

/** The first container has the last word. */
function mainProgress(
  pod: JsonObject,
  before: string,
  statuses: readonly JsonObject[],
): { readonly ready: number; readonly reason: string } {
  let [reason, failure] = [before, ''];
  for (const status of statuses.toReversed()) {
    const state = objectAt(status, 'state');
    const waiting = textAt(objectAt(state, 'waiting'), 'reason');
    if (waiting !== '') reason = waiting;
    else if (isObject(state.terminated)) {
      reason = endText(state.terminated);
      if (countAt(state.terminated, 'exitCode') !== 0) failure = reason;
    }
  }
  const ready = statuses.filter(isReady).length;
  return { ready, reason: reason === 'Completed' ? partlyCompleted(pod, ready, failure) : reason };
}

function isReady(status: JsonObject): boolean {
  const state = objectAt(status, 'state');
  const isWaiting = textAt(objectAt(state, 'waiting'), 'reason') !== '';
  return status.ready === true && isObject(state.running) && !isWaiting && !isObject(state.terminated);
}

/** One container is done: what the others do says how the Pod is. */
function partlyCompleted(pod: JsonObject, running: number, failure: string): string {
  if (running > 0 && hasCondition(pod, 'Ready')) return 'Running';
  if (failure !== '') return failure;
  return running > 0 ? 'NotReady' : 'Completed';
}

/** A deleting Pod says that before all else; undefined for one that is not deleting, or has ended. */
function endingOf(pod: JsonObject): string | undefined {
  if (!isDeleting(pod)) return undefined;
  const { reason, phase } = statusOf(pod);
  if (reason === 'NodeLost') return 'Unknown';
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(specOf(pod), 'readinessGates');
  if (gates.length === 0) return NONE;
  const open = gates.filter(gate => hasCondition(pod, textAt(gate, 'conditionType')));
  return `${open.length}/${gates.length}`;
}
