// Makes a Node's labels under the chosen prefixes those of its host, in the workload cluster where the Node is.

import { minutes } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { KeyController } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { clusterNameOf } from '../cluster/owner.ts';
import { recordedHost } from '../host/hosts.ts';
import { cachedMachine, machinesOfCluster, ownerMachine } from '../machine/machines.ts';
import type { MetalWorld } from '../world.ts';
import { type HostInUse, hostInUse, isOutcome, RECHECK_MS } from './node-of-host.ts';
import { labelPatch, prefixesOf } from './prefixes.ts';

/** Hosts, Nodes and all in between are watched; this is for a change that nobody told of. */
const DRIFT_MS = minutes(5);

export const metal3LabelSync: KeyController<MetalWorld> = {
  name: 'metal3-label-sync',
  kind: BareMetalHost,
  wokenBy: [
    { kind: Metal3Machine, keysFor: machine => hostsOf([machine as Metal3Machine]) },
    { kind: Machine, keysFor: (machine, world) => hostOfMachine(machine as Machine, world) },
    { kind: Cluster, keysFor: (cluster, world) => hostsOfCluster(keyOf(cluster), world) },
    {
      kind: Metal3Cluster,
      keysFor(object, world) {
        const name = clusterNameOf(object as Metal3Cluster);
        return name === undefined ? [] : hostsOfCluster({ ...keyOf(object), name }, world);
      },
    },
  ],
  reads: [Metal3Machine, Machine, Cluster, Metal3Cluster],
  wakes(world, wake) {
    world.workload.onChange((cluster, node) => {
      for (const host of hostsOfCluster(cluster, world, node?.metadata.name)) wake(host);
    });
  },
  async pass(_, object, world) {
    if (object === undefined) return done();
    const found = hostInUse(object as BareMetalHost, world);
    return isOutcome(found) ? found : sync(object as BareMetalHost, found, world);
  },
};

const hostsOf = (machines: readonly Metal3Machine[]): readonly ObjectKey[] =>
  machines.flatMap(machine => recordedHost(machine) ?? []);

function hostOfMachine({ metadata, spec }: Machine, world: MetalWorld): readonly ObjectKey[] {
  const { namespace = '' } = metadata;
  const metal3Machine = cachedMachine({ namespace, name: spec.infrastructureRef.name }, world);
  return metal3Machine === undefined ? [] : hostsOf([metal3Machine]);
}

/** All hosts of a Cluster, or the one behind a Node. */
function hostsOfCluster(cluster: ObjectKey, world: MetalWorld, nodeName?: string): readonly ObjectKey[] {
  const all = machinesOfCluster(cluster, world);
  if (nodeName === undefined) return hostsOf(all);
  return hostsOf(all.filter(machine => ownerMachine(machine, world)?.status?.nodeRef?.name === nodeName));
}

async function sync(
  host: BareMetalHost,
  { cluster, metal3Cluster, nodeName }: HostInUse,
  world: MetalWorld,
): Promise<Outcome> {
  const prefixes = prefixesOf(metal3Cluster);
  // What is wrong with them the Metal3Cluster says itself; its change wakes this.
  if (prefixes === undefined || prefixes.wrong.length > 0) return done();
  const view = world.workload.of(cluster);
  const port = { port: 'workload cluster', subject: keyText(cluster) };
  if (!view.known) return wait(port, `Cluster ${cluster.name}: ${view.why}`, RECHECK_MS, { reason: view.reason });
  const node = view.nodes.get({ name: nodeName });
  if (node === undefined) return wait(port, `Node ${nodeName} of Cluster ${cluster.name}`, RECHECK_MS);
  const labels = labelPatch(host.metadata.labels ?? {}, node.metadata.labels ?? {}, prefixes.valid);
  const { uid } = node.metadata;
  // The Node of that UID and no other: one that was created anew belongs to another boot of this host, or to another host.
  if (labels !== undefined) await view.api.patch(Node, { name: nodeName }, { metadata: { uid, labels } });
  return done(undefined, DRIFT_MS);
}
