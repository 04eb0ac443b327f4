// Where the Nodes of a Machine's Cluster are: in this cluster, or in one of their own that the provider's port leads to.

import type { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import type { Machine } from '../../../kinds/generated/machine.generated.ts';
import type { Api } from '../../../kube/api.ts';
import type { Informer } from '../../../kube/cache.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { Node } from '../../../kube/core/node.ts';
import { Pod } from '../../../kube/core/pod.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import { clusterOf } from '../pause.ts';

/** Nodes and the API that they are in; or why nothing can be said about them. */
export type NodesThere =
  | { readonly known: true; readonly api: Api; readonly nodes: Informer<Node> }
  | {
      readonly known: false;
      readonly reason: string;
      readonly why: string;
      /** The way there has only just begun to be opened, as always when a manager starts: nobody is told of it yet. */
      readonly isNew?: true;
    };

/** Clusters that have an API of their own. */
export interface NodesElsewhere {
  /** By what the Cluster says itself: the answer never changes. */
  isFor(cluster: Cluster): boolean;
  of(cluster: ObjectKey): NodesThere;
  onChange(listener: (cluster: ObjectKey, node?: Node) => void): () => void;
}

export function nodesFor(machine: Machine, world: KubeWorld, elsewhere: NodesElsewhere | undefined): NodesThere {
  const cluster = clusterOf(machine, world);
  if (cluster !== undefined && elsewhere?.isFor(cluster) === true) return elsewhere.of(clusterKey(machine));
  return { known: true, api: world.api, nodes: world.caches.of(Node) };
}

const clusterKey = ({ metadata, spec }: Machine): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: spec.clusterName,
});

const BY_NODE = 'builtin.nodeName';

/** From the cache where the Node is here. Of another cluster no Pods are kept: those are read live, and whole (safe-3). */
export async function podsOn(node: Node, api: Api, world: KubeWorld): Promise<readonly Pod[]> {
  const { name } = node.metadata;
  if (api !== world.api) return (await api.list(Pod, { fields: `spec.nodeName=${name}` })).items;
  const pods = world.caches.of(Pod);
  pods.index(BY_NODE, pod => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
  return pods.by(BY_NODE, name);
}
