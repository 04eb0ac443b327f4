// Pods from before Pippin, whose host nobody recorded: gone only if no Mac that could run them is left anywhere (safe-5).

import { seconds } from '../../base/clock.ts';
import { notSeen, present, type Sighting } from '../../base/sighting.ts';
import { Absent, type NotProved, type Proof } from '../../deletion/proof.ts';
import { RUNTIME_LABEL, RUNTIME_TART } from '../../kinds/wire.ts';
import { Node } from '../../kube/core/node.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { type Kind, kindOf } from '../../kube/kind.ts';
import { type KubeObject, labelOf } from '../../kube/object.ts';
import { type MachineHost, vmOf } from './binding.ts';
import type { VmGoneWorld } from './vm-gone.ts';

/** Agents refresh their Node every 30 s: three refreshes must have been missed. */
const NODE_READS_APART_MS = seconds(90);

interface CapiMachine extends KubeObject {
  readonly status?: { readonly nodeRef?: { readonly name?: string } };
}

const INFRA = 'infrastructure.cluster.x-k8s.io/v1alpha1';

/** Machines of other providers that bear Node names too; each is asked for only where it is served. */
const MACHINES: readonly Kind<CapiMachine>[] = [
  kindOf<CapiMachine>('cluster.x-k8s.io/v1beta2', 'Machine', 'machines', 'Namespaced'),
  kindOf<CapiMachine>('cluster.x-k8s.io/v1beta1', 'Machine', 'machines', 'Namespaced'),
  kindOf<CapiMachine>(INFRA, 'ScalewayElasticMetalMachine', 'scalewayelasticmetalmachines', 'Namespaced'),
  kindOf<CapiMachine>(INFRA, 'OVHDedicatedMachine', 'ovhdedicatedmachines', 'Namespaced'),
  kindOf<CapiMachine>(INFRA, 'DediboxMachine', 'dediboxmachines', 'Namespaced'),
  kindOf<CapiMachine>(INFRA, 'VultrMachine', 'vultrmachines', 'Namespaced'),
];

/** Macs that no cloud lists: where one exists, nothing can be said about an unrecorded host. */
const UNLISTED_MACS: readonly Kind[] = [
  kindOf(INFRA, 'RackHost', 'rackhosts', 'Namespaced'),
  kindOf(INFRA, 'RackAppleSiliconMachine', 'rackapplesiliconmachines', 'Namespaced'),
];

/** Every condition of safe-5, cheapest first; the first that does not hold is what is missing. */
export async function hostNeverRecorded(
  pod: Pod,
  machines: readonly MachineHost[],
  world: VmGoneWorld,
): Promise<Proof> {
  const name = pod.spec.nodeName ?? '';
  const blocker =
    (await nodeBlocker(world)) ??
    (await machineBlocker(name, machines, world)) ??
    (await unlistedMacBlocker(world)) ??
    (await cloudBlocker(name, world));
  if (blocker !== undefined) return refusal(pod, ...blocker);
  return nodeTwiceAbsent(pod, name, world);
}

type Blocker = readonly [reason: string, missing: string];

async function nodeBlocker({ api, witness }: VmGoneWorld): Promise<Blocker | undefined> {
  const { items } = await api.list(Node);
  if (items.length === 0) return ['NoNodeSeen', 'a view of the cluster in which at least one Node exists'];
  const foreign = items.find(node => labelOf(node, RUNTIME_LABEL) === RUNTIME_TART && !listable(node, witness));
  if (foreign === undefined) return undefined;
  return ['MacNotListable', `a cloud that can list every Mac; Node ${foreign.metadata.name} is of none`];
}

const listable = (node: Node, witness: VmGoneWorld['witness']): boolean =>
  node.spec?.providerID !== undefined && witness.canSee(node.spec.providerID);

async function machineBlocker(
  name: string,
  machines: readonly MachineHost[],
  { api }: VmGoneWorld,
): Promise<Blocker | undefined> {
  if (machines.some(({ machine }) => machine.metadata.name === name)) return machineOf(name);
  for (const kind of MACHINES) {
    if (!(await api.serves(kind))) continue;
    const { items } = await api.list(kind);
    if (items.some(each => each.metadata.name === name || each.status?.nodeRef?.name === name)) return machineOf(name);
  }
  return undefined;
}

const machineOf = (name: string): Blocker => ['MachineExists', `the deletion of the machine of Node ${name}`];

async function unlistedMacBlocker({ api }: VmGoneWorld): Promise<Blocker | undefined> {
  for (const kind of UNLISTED_MACS) {
    if (!(await api.serves(kind))) continue;
    const [first] = (await api.list(kind)).items;
    if (first === undefined) continue;
    return ['MacNotListable', `a cloud that can list every Mac; ${kind.kind} ${first.metadata.name} is of none`];
  }
  return undefined;
}

async function cloudBlocker(name: string, { witness }: VmGoneWorld): Promise<Blocker | undefined> {
  const seen = await witness.hosts();
  if (seen.kind !== 'present') {
    return [
      'CloudNotListed',
      `a complete list of every configured zone${seen.kind === 'unknown' ? `: ${seen.reason}` : ''}`,
    ];
  }
  if (seen.value.length === 0) return ['CloudNotListed', 'a list of the cloud that shows at least one server'];
  const same = seen.value.find(host => host.name === name);
  return same === undefined
    ? undefined
    : ['HostStillRented', `the release of host ${same.providerId}, which is still rented as ${name}`];
}

async function nodeTwiceAbsent(pod: Pod, name: string, { api, journal }: VmGoneWorld): Promise<Proof> {
  const node = await api.find(Node, { name });
  const sighting: Sighting<Node> = node === undefined ? notSeen('api', `Node ${name}`) : present(node);
  const standing = journal.note(`Node ${name}`, sighting, NODE_READS_APART_MS);
  switch (standing.kind) {
    case 'twice':
      return Absent.byTwoReads(vmOf(pod), `no Mac that could run it is left: Node ${name} is gone`, standing.reads);
    case 'once':
      return {
        ...refusal(pod, 'NodeAbsentOnce', `a second answer, 90 s after the first, that Node ${name} is gone`),
        recheckMs: standing.againInMs,
      };
    case 'no':
      return refusal(pod, 'NodeExists', `the absence of Node ${name}: ${standing.why}`);
  }
}

function refusal(pod: Pod, reason: string, missing: string): NotProved {
  return { kind: 'unknown', subject: vmOf(pod), reason, missing };
}
