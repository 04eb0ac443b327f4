// Whether a Node's agent still answers: judged by when its Lease or status last changed, as seen on our own clock.

import type { Lease, Node, NodeCondition } from '../../kube/core/node.ts';
import type { Condition } from '../../kube/object.ts';

/** A sign of life and when it was seen, on both clocks: the older age counts (safe-21). */
export interface Sighted {
  readonly sign: string;
  readonly atWallMs: number;
  readonly atMonotonicMs: number;
}

export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/**
 * What changes whenever the agent says something. That we set its status to Unknown ourselves changes it once more,
 * which is of no account: nothing further is written then. The agent's own clock is never compared with ours.
 */
export function signOfLife(node: Node, lease: Lease | undefined): string {
  const ready = readyOf(node);
  return JSON.stringify([node.metadata.uid, lease?.spec?.renewTime, ready?.lastHeartbeatTime, ready?.status]);
}

/** Keeps the first sight of a sign, or starts a new one. */
export function sight(before: Sighted | undefined, sign: string, now: Moment): Sighted {
  if (before?.sign === sign) return before;
  return { sign, atWallMs: now.wallMs, atMonotonicMs: now.monotonicMs };
}

/** How long nothing has been heard. A wall clock that went back does not make it younger. */
export function silenceMs(sighted: Sighted, now: Moment): number {
  return Math.max(now.monotonicMs - sighted.atMonotonicMs, now.wallMs - sighted.atWallMs);
}

export interface Grace {
  /** 50 s in Kubernetes. */
  readonly missedLeasesMs: number;
  /** For a Node whose agent has not yet reported anything; 60 s in Kubernetes. */
  readonly startupMs: number;
}

/** How long this Node may be silent. */
export const graceOf = (node: Node, grace: Grace): number =>
  readyOf(node) === undefined ? grace.startupMs : grace.missedLeasesMs;

const JUDGED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** The conditions of a silent Node, in Kubernetes' words; empty when they say so already. */
export function silentConditions(node: Node): readonly Omit<Condition, 'lastTransitionTime'>[] {
  return JUDGED.flatMap(type => {
    const current = node.status?.conditions?.find(condition => condition.type === type);
    if (current === undefined) {
      return [unknown(type, 'NodeStatusNeverUpdated', 'Kubelet never posted node status.')];
    }
    if (current.status === 'Unknown') return [];
    return [unknown(type, 'NodeStatusUnknown', 'Kubelet stopped posting node status.')];
  });
}

function unknown(type: string, reason: string, message: string): Omit<Condition, 'lastTransitionTime'> {
  return { type, status: 'Unknown', reason, message };
}

export const readyOf = (node: Node): NodeCondition | undefined =>
  node.status?.conditions?.find(condition => condition.type === 'Ready');
