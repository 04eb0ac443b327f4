// The taints that a Node's condition asks for; taints of others are left as they are (builtin-13).

import { kubeTime } from '../../base/clock.ts';
import type { Node, Taint } from '../../kube/core/node.ts';
import { readyOf } from './health.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** Conditions whose `True` keeps new Pods away. */
const PRESSURES: Readonly<Record<string, string>> = {
  MemoryPressure: 'node.kubernetes.io/memory-pressure',
  DiskPressure: 'node.kubernetes.io/disk-pressure',
  PIDPressure: 'node.kubernetes.io/pid-pressure',
  NetworkUnavailable: 'node.kubernetes.io/network-unavailable',
};

const OURS = new Set([NOT_READY, UNREACHABLE, UNSCHEDULABLE, ...Object.values(PRESSURES)]);

/** The whole list of taints that this Node shall have; undefined when it has it. */
export function taintsFor(node: Node, nowMs: number): readonly Taint[] | undefined {
  const have = node.spec?.taints ?? [];
  const wanted = wantedTaints(node);
  const kept = have.filter(taint => !isOurs(taint) || wanted.some(same(taint)));
  const missing = wanted.filter(taint => !have.some(same(taint)));
  if (missing.length === 0 && kept.length === have.length) return undefined;
  const added = missing.map(taint => ({ ...taint, timeAdded: kubeTime(nowMs) }));
  return [...kept, ...added];
}

function wantedTaints(node: Node): readonly Taint[] {
  const conditions = node.status?.conditions ?? [];
  const pressures = conditions.flatMap(({ type, status }) => {
    const key = PRESSURES[type];
    return key !== undefined && status === 'True' ? [key] : [];
  });
  const cordoned = node.spec?.unschedulable === true ? [UNSCHEDULABLE] : [];
  const quiet = silentKey(node);
  return [
    ...[...pressures, ...cordoned].map((key): Taint => ({ key, effect: 'NoSchedule' })),
    ...(quiet === undefined ? [] : both(quiet)),
  ];
}

/** One that stopped to report is unreachable. Of a Node that has not begun to, nothing is known that a taint could say. */
function silentKey(node: Node): string | undefined {
  const status = readyOf(node)?.status;
  if (status === undefined || status === 'True') return undefined;
  return status === 'Unknown' ? UNREACHABLE : NOT_READY;
}

const both = (key: string): readonly Taint[] => [
  { key, effect: 'NoSchedule' },
  { key, effect: 'NoExecute' },
];

const same =
  (taint: Taint) =>
  (other: Taint): boolean =>
    taint.key === other.key && taint.effect === other.effect;

/** These keys say what conditions say, so whoever set them, they go when the condition does. */
const isOurs = (taint: Taint): boolean => OURS.has(taint.key);
