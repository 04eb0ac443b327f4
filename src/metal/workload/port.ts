// What the Metal3 provider needs of workload clusters: each Cluster's API and its Nodes, or why they are not known.

import type { Api } from '../../kube/api.ts';
import type { Informer } from '../../kube/cache.ts';
import type { Node } from '../../kube/core/node.ts';
import type { ObjectKey } from '../../kube/object.ts';

/**
 * A workload cluster as it is known now. `known: false` is no answer about any Node: it delays provider ids, label sync
 * and remediation, never a deletion. `reason` is CamelCase, for a condition; `why` is its message. `isNew`: the connection
 * has only just begun, as for every cluster when a manager starts; nobody is told of that yet.
 */
export type WorkloadView =
  | { readonly known: true; readonly api: Api; readonly nodes: Informer<Node> }
  | { readonly known: false; readonly reason: string; readonly why: string; readonly isNew?: true };

/**
 * Told which Cluster is known now or is known no more; with a Node, that this one came, went, or has other labels,
 * annotations, taints, another provider id or a condition that flipped (never for its heartbeats).
 */
export type WorkloadListener = (cluster: ObjectKey, node?: Node) => void;

export interface WorkloadClusters {
  /** Never blocks, never throws. The first call for a Cluster begins the connection, whose outcome is told by `onChange`. */
  of(cluster: ObjectKey): WorkloadView;
  /** The returned function ends it. */
  onChange(listener: WorkloadListener): () => void;
}
