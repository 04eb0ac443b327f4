// What this Mac's Node says, computed from facts: labels, identity, capacity, addresses and conditions.

import { kubeTime } from '../../base/clock.ts';
import type { Sighting } from '../../base/sighting.ts';
import { MACOS_TAINT, RUNTIME_LABEL, RUNTIME_TART } from '../../kinds/wire.ts';
import type { Node, NodeCondition, NodeStatus } from '../../kube/core/node.ts';
import type { DiskUsage } from '../host.ts';
import { goldenLabel } from '../images/golden.ts';
import type { AgentSettings } from '../settings.ts';

/** What a refresh has found out. */
export interface NodeFacts {
  readonly settings: AgentSettings;
  readonly hostIp: string;
  readonly nowMs: number;
  readonly disk: Sighting<DiskUsage>;
  /** Golden bases on the disk, as last known. */
  readonly goldens: readonly string[];
  /** How full the running guests' root volumes are, in percent, by VM. */
  readonly guestDisks: ReadonlyMap<string, number>;
}

/** Labels of this prefix are the agent's: those that are no longer true go. All other prefixes are somebody else's. */
const OWN_PREFIX = 'tuist.dev/';

function labelsOf({ settings, goldens }: NodeFacts): Readonly<Record<string, string>> {
  return {
    'kubernetes.io/os': 'darwin',
    'kubernetes.io/arch': 'arm64',
    'kubernetes.io/hostname': settings.nodeName,
    [RUNTIME_LABEL]: RUNTIME_TART,
    ...settings.nodeLabels,
    ...Object.fromEntries(goldens.map(golden => [goldenLabel(golden), 'true'])),
  };
}

/** Labels to set, and own ones to remove (null); empty when nothing differs. */
export function labelChanges(node: Node, facts: NodeFacts): Readonly<Record<string, string | null>> {
  const wanted = labelsOf(facts);
  const has = node.metadata.labels ?? {};
  const stale = Object.keys(has).filter(label => label.startsWith(OWN_PREFIX) && !(label in wanted));
  const missing = Object.entries(wanted).filter(([label, value]) => has[label] !== value);
  return Object.fromEntries([...missing, ...stale.map(label => [label, null] as const)]);
}

/** The Node as it is registered. A taint can only be set now: NodeRestriction refuses it later. */
export function newNode(facts: NodeFacts): Node {
  const { providerId } = facts.settings;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: facts.settings.nodeName, labels: labelsOf(facts) },
    spec: { taints: [MACOS_TAINT], ...(providerId === undefined ? {} : { providerID: providerId }) },
    status: statusOf(undefined, facts),
  };
}

/** Conditions of others stay; the heartbeat moves each time. */
export function statusOf(node: Node | undefined, facts: NodeFacts): NodeStatus {
  const { settings, disk, hostIp } = facts;
  const total = disk.kind === 'present' ? disk.value.totalBytes : undefined;
  const capacity = {
    cpu: String(settings.cpu),
    memory: `${settings.memoryMb}Mi`,
    pods: String(settings.maxPods),
    ...(total === undefined ? {} : { 'ephemeral-storage': String(total) }),
  };
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: hostIp },
      { type: 'Hostname', address: settings.nodeName },
    ],
    nodeInfo: {
      ...node?.status?.nodeInfo,
      operatingSystem: 'darwin',
      architecture: 'arm64',
      kubeletVersion: 'tart-kubelet-v0',
      containerRuntimeVersion: 'tart',
    },
    conditions: conditionsOf(node, facts),
  };
}

const DISK_PRESSURE_FREE = 0.1;
const GUEST_DISK_FULL_PERCENT = 90;

function conditionsOf(node: Node | undefined, facts: NodeFacts): readonly NodeCondition[] {
  const before = node?.status?.conditions ?? [];
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'TartKubeletReady',
    message: 'the agent is posting its state',
  } as const;
  const own = [ready, diskPressure(before, facts)].map(condition => dated(condition, before, facts.nowMs));
  const others = before.filter(condition => !own.some(mine => mine.type === condition.type));
  return [...own, ...others];
}

/** Seeded False; a probe that failed keeps what was known (agent-68). Host and guests both count (agent-69). */
function diskPressure(before: readonly NodeCondition[], { disk, guestDisks }: NodeFacts): NodeCondition {
  const fullGuests = [...guestDisks].filter(([, percent]) => percent >= GUEST_DISK_FULL_PERCENT);
  const known = before.find(condition => condition.type === 'DiskPressure');
  if (disk.kind !== 'present' && fullGuests.length === 0 && known !== undefined) return known;

  const hostFull = disk.kind === 'present' && disk.value.freeBytes < DISK_PRESSURE_FREE * disk.value.totalBytes;
  if (!hostFull && fullGuests.length === 0) {
    return {
      type: 'DiskPressure',
      status: 'False',
      reason: 'TartKubeletHasSufficientDisk',
      message: 'host and guests have room',
    };
  }
  const what = [
    ...(hostFull ? ['the host has under 10 % free'] : []),
    ...fullGuests.map(([vm, percent]) => `guest ${vm} is ${percent} % full`),
  ];
  return { type: 'DiskPressure', status: 'True', reason: 'TartKubeletHasDiskPressure', message: what.join('; ') };
}

function dated(condition: NodeCondition, before: readonly NodeCondition[], nowMs: number): NodeCondition {
  const old = before.find(({ type }) => type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : kubeTime(nowMs);
  return {
    ...condition,
    lastHeartbeatTime: kubeTime(nowMs),
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
  };
}

/** The Node was registered by a host of another providerID: it is not ours to keep alive. */
export const isForeign = (node: Node, settings: AgentSettings): boolean =>
  node.spec?.providerID !== undefined &&
  node.spec.providerID !== '' &&
  node.spec.providerID !== settings.providerId &&
  settings.providerId !== undefined;
