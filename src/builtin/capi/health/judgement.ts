// Whether a Machine is healthy, not yet, or to be replaced: by its Node's conditions and by how long it has none.

import { millisOf, seconds } from '../../../base/clock.ts';
import type { Machine } from '../../../kinds/generated/machine.generated.ts';
import type { Node } from '../../../kube/core/node.ts';
import { annotationOf } from '../../../kube/object.ts';
import { REMEDIATE_MACHINE } from '../names.ts';
import type { HealthRules } from '../spelling.ts';

/** What is known of the Machine's Node. `gone` is proved by a live read, never by a cache alone (safe-1). */
export type NodeSight =
  | { readonly kind: 'found'; readonly node: Node }
  | { readonly kind: 'none' }
  | { readonly kind: 'gone' };

export type Health =
  /** `againMs`: when it may stop being healthy, if nothing changes. */
  | { readonly kind: 'healthy'; readonly againMs?: number }
  /** Within the time that a Node may take. */
  | { readonly kind: 'starting'; readonly againMs: number }
  | { readonly kind: 'unhealthy'; readonly reason: string; readonly message: string };

export interface Subject {
  readonly machine: Machine;
  readonly node: NodeSight;
  /** Since when the machine could have had a Node: its Cluster was ready by then. Milliseconds since 1970. */
  readonly startedMs: number;
}

export function healthOf({ machine, node, startedMs }: Subject, rules: HealthRules, nowMs: number): Health {
  if (annotationOf(machine, REMEDIATE_MACHINE) !== undefined) {
    return unhealthy('HasRemediateAnnotation', `it bears the annotation ${REMEDIATE_MACHINE}`);
  }
  if (node.kind === 'gone') {
    return unhealthy('NodeDeleted', `its Node ${machine.status?.nodeRef?.name ?? ''} has been deleted`);
  }
  if (node.kind === 'none') return withoutNode(rules, startedMs, nowMs);
  return byConditions(node.node, rules, nowMs);
}

function withoutNode({ startupSeconds }: HealthRules, startedMs: number, nowMs: number): Health {
  if (startupSeconds === undefined) return { kind: 'healthy' };
  const leftMs = startedMs + seconds(startupSeconds) - nowMs;
  if (leftMs > 0) return { kind: 'starting', againMs: leftMs };
  return unhealthy('NodeStartupTimeout', `it has had no Node for ${startupSeconds} s`);
}

function byConditions(node: Node, rules: HealthRules, nowMs: number): Health {
  let againMs = Number.POSITIVE_INFINITY;
  for (const { type, status, timeoutSeconds } of rules.conditions) {
    const condition = node.status?.conditions?.find(candidate => candidate.type === type);
    if (condition?.status !== status) continue;
    const leftMs = millisOf(condition.lastTransitionTime) + seconds(timeoutSeconds) - nowMs;
    if (leftMs <= 0) {
      return unhealthy('UnhealthyNode', `its Node's condition ${type} has been ${status} for ${timeoutSeconds} s`);
    }
    againMs = Math.min(againMs, Number.isNaN(leftMs) ? againMs : leftMs);
  }
  return Number.isFinite(againMs) ? { kind: 'healthy', againMs } : { kind: 'healthy' };
}

const unhealthy = (reason: string, message: string): Health => ({ kind: 'unhealthy', reason, message });
