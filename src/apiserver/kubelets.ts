// How the API server reaches the kubelets of Nodes, in types.

import type { ApiRequest, ApiResponse } from '../kube/transport.ts';

/** One request to the kubelet of a Node. */
export interface KubeletRequest {
  readonly method: ApiRequest['method'];
  readonly host: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Whether the kubelet must show a certificate of our authority; left out: yes. */
  readonly trusts?: 'any';
}

/** Connections to the kubelets of Nodes, made in the API server's own name. */
export interface Kubelets {
  /** The answer streams. Rejects with the reason as Go words it when there is none. */
  ask(request: KubeletRequest): Promise<ApiResponse>;
}
