// Whether a Machine's Node may be drained and deleted: only while a control plane stays that the Node can leave from.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import type { Machine } from '../../../kinds/generated/machine.generated.ts';
import type { Api } from '../../../kube/api.ts';
import type { Informer } from '../../../kube/cache.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { Node } from '../../../kube/core/node.ts';
import { isDeleting, labelOf } from '../../../kube/object.ts';
import { CONTROL_PLANE_LABEL } from '../names.ts';
import { lookUp } from '../provider/lookup.ts';
import { machinesOfCluster } from './machines.ts';
import { nodeOf } from './node.ts';
import { nodesFor } from './node-source.ts';
import type { MachineOptions } from './world.ts';

/** The Node that goes with the Machine; or why none is touched, for the Machine's own deletion goes on without. */
export type NodeRemoval =
  | { readonly kind: 'allowed'; readonly node: Node; readonly api: Api }
  | { readonly kind: 'skipped'; readonly why: string };

export async function nodeRemoval(machine: Machine, world: KubeWorld, options: MachineOptions): Promise<NodeRemoval> {
  const { namespace = '' } = machine.metadata;
  // Read live: a Cluster that has begun to go in this moment changes what may be done to a Node.
  const cluster = await world.api.find(Cluster, { namespace, name: machine.spec.clusterName });
  if (cluster === undefined) return skipped('its Cluster is gone');
  if (isDeleting(cluster)) return skipped('its Cluster is being deleted');
  const there = nodesFor(machine, world, options.nodesElsewhere);
  // A dead workload cluster delays no deletion (metal-W4).
  if (!there.known) return skipped(`its workload cluster is not known: ${there.why}`);
  const { api } = there;
  const node = await ownNode(machine, there.nodes, api);
  if (node === undefined) return skipped('it has no Node');
  const refusal = await controlPlaneRefusal(cluster, { world, options });
  return refusal === undefined ? { kind: 'allowed', node, api } : skipped(refusal);
}

const skipped = (why: string): NodeRemoval => ({ kind: 'skipped', why });

/** The Node by provider id; by its recorded name only when its provider id does not say that it is another host's. */
async function ownNode(machine: Machine, nodes: Informer<Node>, api: Api): Promise<Node | undefined> {
  const byProviderId = nodeOf(machine, nodes);
  const name = byProviderId?.metadata.name ?? machine.status?.nodeRef?.name;
  if (name === undefined) return undefined;
  const live = await api.find(Node, { name });
  if (live === undefined) return undefined;
  const hostId = live.spec?.providerID;
  const isOther = hostId !== undefined && machine.spec.providerID !== undefined && hostId !== machine.spec.providerID;
  return isOther ? undefined : live;
}

async function controlPlaneRefusal(
  cluster: Cluster,
  on: { readonly world: KubeWorld; readonly options: MachineOptions },
): Promise<string | undefined> {
  const { namespace = '', name } = cluster.metadata;
  const reference = cluster.spec?.controlPlaneRef;
  if (reference !== undefined) {
    const sought = await lookUp(reference, { namespace, world: on.world, watched: on.options.watched });
    if (sought.kind === 'found') {
      if (isDeleting(sought.object)) return 'its control plane is being deleted';
      if (sought.object.status?.externalManagedControlPlane === true) return undefined;
    }
  }
  const members = machinesOfCluster(namespace, name, on.world).filter(
    machine => labelOf(machine, CONTROL_PLANE_LABEL) !== undefined && !isDeleting(machine),
  );
  return members.length === 0 ? 'its Cluster has no control-plane Machines' : undefined;
}
