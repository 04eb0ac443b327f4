// What wakes a machine: what it stands on, its host and hosts that become free, its claim and data, and its Node.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_UID_LABEL } from '../../kinds/metal-wire.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { WokenBy } from '../../kube/controller.ts';
import type { Node } from '../../kube/core/node.ts';
import { type KubeObject, keyOf, labelOf, type ObjectKey } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import { machinesBehind } from '../host/consumer.ts';
import { unfit } from '../host/eligibility.ts';
import { hostOfUid, isUnused } from '../host/hosts.ts';
import { isAvailable } from '../host/state.ts';
import type { MetalWorld } from '../world.ts';
import { cachedMachine, hostlessMachines, isLeftAlone, machinesOfCluster, machinesRecording } from './machines.ts';
import { NODE_READY } from './node-identity.ts';

export const wokenBy: readonly WokenBy<MetalWorld>[] = [
  { kind: Machine, keysFor: machineBehind },
  { kind: Cluster, keysFor: (cluster, world) => machinesOfCluster(keyOf(cluster), world).map(keyOf) },
  { kind: Metal3Cluster, keysFor: clusterOfMetal3Cluster },
  { kind: BareMetalHost, keysFor: (host, world) => atWork(concernedBy(host as BareMetalHost, world), world) },
  // By name, too: the claim of an earlier machine is what a later one of that name waits for.
  { kind: Metal3DataClaim, keysFor: (claim, world) => atWork([keyOf(claim), ...machinesOwning(claim)], world) },
  {
    kind: Metal3Data,
    keysFor: (data, world) => atWork([...machinesOwning(data), ...machinesClaiming(data)], world),
  },
];

/** Those that are there and not left alone: the end of a pause is a change of the machine or its Cluster, which wakes it. */
const atWork = (keys: readonly ObjectKey[], world: MetalWorld): readonly ObjectKey[] =>
  keys.filter(key => {
    const machine = cachedMachine(key, world);
    return machine !== undefined && !isLeftAlone(machine, world);
  });

function machineBehind(object: KubeObject): readonly ObjectKey[] {
  const { metadata, spec } = object as Machine;
  if (spec?.infrastructureRef?.kind !== Metal3Machine.kind) return [];
  return [{ namespace: metadata.namespace ?? '', name: spec.infrastructureRef.name }];
}

function clusterOfMetal3Cluster({ metadata }: KubeObject, world: MetalWorld): readonly ObjectKey[] {
  return world.caches
    .of(Cluster)
    .list(metadata.namespace)
    .filter(({ spec }) => spec?.infrastructureRef?.name === metadata.name)
    .flatMap(cluster => machinesOfCluster(keyOf(cluster), world).map(keyOf));
}

/** A host that can be chosen concerns every machine that has none. */
function concernedBy(host: BareMetalHost, world: MetalWorld): readonly ObjectKey[] {
  const isFree = isUnused(host) && isAvailable(host) && unfit(host) === undefined;
  return [
    ...machinesBehind(host),
    ...machinesRecording(keyOf(host), world).map(keyOf),
    ...(isFree ? hostlessMachines(host.metadata.namespace ?? '', world).map(keyOf) : []),
  ];
}

/** A claim bears its machine's name. */
function machinesClaiming(data: KubeObject): readonly ObjectKey[] {
  return ownersOf(data, Metal3DataClaim).map(({ name }) => ({ namespace: data.metadata.namespace ?? '', name }));
}

function machinesOwning(object: KubeObject): readonly ObjectKey[] {
  return ownersOf(object, Metal3Machine).map(({ name }) => ({ namespace: object.metadata.namespace ?? '', name }));
}

/** Nodes and the ways to them are in workload clusters: a port tells of them. */
export function wakes(world: MetalWorld, wake: (key: ObjectKey) => void): void {
  world.workload.onChange((cluster, node) => {
    for (const key of machinesAwaiting(cluster, node, world)) wake(key);
  });
}

/** Those on the hosts that the Node names; of a Node that names none, all whose Node is still to be found. */
function machinesAwaiting(cluster: ObjectKey, node: Node | undefined, world: MetalWorld): readonly ObjectKey[] {
  const named = node === undefined ? [] : hostsNamedBy(node, world).flatMap(host => machinesRecording(host, world));
  const concerned = named.length > 0 ? named : machinesOfCluster(cluster, world).filter(isUnknown);
  return concerned.map(keyOf);
}

const isUnknown = (machine: Metal3Machine): boolean => !isTrue(machine, NODE_READY);

/** By the label of its UID, by a provider id in today's form, or by one in the form before. */
function hostsNamedBy(node: Node, world: MetalWorld): readonly ObjectKey[] {
  const id = node.spec?.providerID ?? '';
  const [, namespace, name] = /^metal3:\/\/([^/]+)\/([^/]+)\//.exec(id) ?? [];
  const byName = namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  const uids = [labelOf(node, HOST_UID_LABEL), /^metal3:\/\/([^/]+)$/.exec(id)?.[1]];
  const byUid = uids.flatMap(uid => (uid === undefined ? [] : (hostOfUid(uid, world) ?? []))).map(keyOf);
  return [...byName, ...byUid];
}
