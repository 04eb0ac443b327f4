// Nodes and their Leases, as far as our controllers read and write them.

import { kindOf } from '../kind.ts';
import type { Condition, KubeObject } from '../object.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}

export interface NodeCondition extends Condition {
  readonly lastHeartbeatTime?: string;
}

export interface NodeStatus {
  readonly capacity?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly conditions?: readonly NodeCondition[];
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  readonly nodeInfo?: Readonly<Record<string, string>>;
  readonly images?: readonly { readonly names?: readonly string[]; readonly sizeBytes?: number }[];
  readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port: number } };
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly taints?: readonly Taint[];
    readonly unschedulable?: boolean;
  };
  readonly status?: NodeStatus;
}

export const Node = kindOf<Node>('v1', 'Node', 'nodes', 'Cluster');

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** MicroTime. */
    readonly acquireTime?: string;
    /** MicroTime. */
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export const Lease = kindOf<Lease>('coordination.k8s.io/v1', 'Lease', 'leases', 'Namespaced');

/** Where every Node's Lease is. */
export const NODE_LEASE_NAMESPACE = 'kube-node-lease';

export const isReady = (node: Node): boolean =>
  node.status?.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True') ?? false;
