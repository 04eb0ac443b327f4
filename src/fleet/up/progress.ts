// What a person is told of a fleet that comes up, read off its objects: what has been reached, and what each thing waits for.

import { millisOf } from '../../base/clock.ts';
import type { ScalewayAppleSiliconMachine } from '../../kinds/generated/scaleway-apple-silicon-machine.generated.ts';
import { conditionOf, isTrue } from '../../kube/conditions.ts';
import type { Lease, Node } from '../../kube/core/node.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { isDeleting } from '../../kube/object.ts';

export interface FleetView {
  readonly machines: readonly ScalewayAppleSiliconMachine[];
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly leases: readonly Lease[];
  /** When this start began: what an agent said before may be out of date. Milliseconds since 1970. */
  readonly startedMs: number;
}

/** Lines by what they are about: a line is told when it is new, and again when its words have changed. */
export type Told = ReadonlyMap<string, string>;

export function progressOf(view: FleetView): Told {
  return new Map([
    ...view.machines.flatMap(machine => machineLines(machine, view)),
    ...view.pods.filter(({ metadata }) => metadata.namespace !== 'kube-system').flatMap(podLines),
  ]);
}

/** What is new, in order. */
export function newLines(before: Told, now: Told): readonly string[] {
  return [...now].filter(([about, text]) => before.get(about) !== text).map(([, text]) => text);
}

type Line = readonly [about: string, text: string];

function machineLines(machine: ScalewayAppleSiliconMachine, view: FleetView): readonly Line[] {
  const { name } = machine.metadata;
  const line = (about: string, text: string): Line => [`mac ${name} ${about}`, `Mac ${name}: ${text}`];
  if (isDeleting(machine)) return [line('deleting', waitOf(machine, 'Deleting') ?? 'being taken apart')];

  const lines: Line[] = [];
  const address = machine.status?.addresses?.[0]?.address;
  if (machine.spec?.providerID !== undefined && address !== undefined) {
    lines.push(line(`adopted ${machine.spec.providerID}`, `adopted (${address})`));
  }
  if (isTrue(machine, 'Bootstrapped')) lines.push(line('bootstrapped', 'bootstrapped'));
  if (isNodeReady(name, view)) return [...lines, line('node', 'Node Ready')];
  const waits = waitOf(machine) ?? (isTrue(machine, 'Bootstrapped') ? 'waiting for its agent to report' : undefined);
  return waits === undefined ? lines : [...lines, line('waits', waits)];
}

function podLines(pod: Pod): readonly Line[] {
  const { namespace, name, uid } = pod.metadata;
  const line = (about: string, text: string): Line => [`pod ${uid} ${about}`, `Pod ${namespace}/${name}: ${text}`];
  if (isDeleting(pod)) return [line('deleting', 'ending')];

  const { nodeName } = pod.spec;
  if (nodeName === undefined) {
    const why = conditionOf(pod, 'PodScheduled')?.message;
    return [line('waits', `waiting for a Node${why === undefined ? '' : `: ${why}`}`)];
  }
  const on = line('node', `on Node ${nodeName}`);
  if (isTrue(pod, 'Ready')) return [on, line('runs', `VM running${addressOf(pod)}`)];
  if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') {
    return [on, line('ended', `ended: ${pod.status.reason ?? pod.status.phase}`)];
  }
  const waiting = pod.status?.containerStatuses?.[0]?.state?.waiting;
  return [on, line('waits', waiting?.message ?? 'waiting for its VM')];
}

const addressOf = ({ status }: Pod): string => (status?.podIP === undefined ? '' : ` at ${status.podIP}`);

/** A Node that is Ready by what its agent has said since the start (up-7). */
function isNodeReady(name: string, { nodes, leases, startedMs }: FleetView): boolean {
  const node = nodes.find(({ metadata }) => metadata.name === name);
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
  const lease = leases.find(({ metadata }) => metadata.name === name);
  const said = [lease?.spec?.renewTime, ready?.lastHeartbeatTime].map(millisOf);
  return ready?.status === 'True' && said.some(ms => ms >= startedMs);
}

const WAITING = 'Waiting for ';

/** What the object itself says that it waits for: the first condition that is held, those that name a wait before others. */
function waitOf(machine: ScalewayAppleSiliconMachine, deleting?: 'Deleting'): string | undefined {
  const held = (machine.status?.conditions ?? []).filter(
    ({ type, status, message = '' }) =>
      message !== '' && (deleting === undefined ? status === 'False' : type === deleting),
  );
  const message = (held.find(each => each.message?.startsWith(WAITING)) ?? held[0])?.message;
  if (message === undefined) return undefined;
  return message.startsWith(WAITING) ? `w${message.slice(1)}` : `waiting: ${message}`;
}
