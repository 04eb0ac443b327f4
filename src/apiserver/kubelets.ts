// How the API server reaches the kubelets of Nodes, and what runs on them, in types.

import type { ApiResponse } from '../kube/transport.ts';

/** One request to the kubelet of a Node, or to a Pod or Service. */
export interface KubeletRequest {
  readonly method: string;
  readonly host: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** A Pod or Service: it is shown no certificate of ours, and need not show one. Left out: a kubelet. */
  readonly workload?: 'http' | 'https';
  /** Whether the kubelet must show a certificate of our authority; left out: yes. */
  readonly trusts?: 'any';
}

/** Connections to the kubelets of Nodes, made in the API server's own name, and to workloads in nobody's. */
export interface Kubelets {
  /** The answer streams. Rejects with the reason as Go words it when there is none. */
  ask(request: KubeletRequest): Promise<ApiResponse>;
}
