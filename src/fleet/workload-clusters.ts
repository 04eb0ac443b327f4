// Workload clusters over HTTP: each reached with the kubeconfig that its Secret holds, by whoever leads.

import { httpTransport } from '../adapters/http/client.ts';
import type { KubeWorld } from '../kube/controller.ts';
import type { Transport } from '../kube/transport.ts';
import { type OpenWorkloadClusters, workloadClusters } from '../metal/workload/clusters.ts';

/** `guard` stands before every request to a workload cluster: a replica that leads no more writes there no more either. */
export function httpWorkloadClusters(
  { api, caches, clock, random, log }: KubeWorld,
  guard: (transport: Transport) => Transport = transport => transport,
): OpenWorkloadClusters {
  return workloadClusters({ api, caches, clock, random, log, dial: access => guard(httpTransport(access)) });
}
