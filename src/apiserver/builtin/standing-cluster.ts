// What the real server writes of itself when it starts: whom it trusts, which addresses Services get, and since when it
// keeps account of old tokens.

import { type Clock, kubeTime } from '../../base/clock.ts';
import { type ServiceRanges, USUAL_RANGES } from '../objects/service-ranges.ts';
import type { JsonObject } from '../parts.ts';

interface ClusterFacts {
  readonly clock: Clock;
  /** Whose certificates prove who a client is. */
  readonly clientAuthorityPem?: string;
  readonly serviceRanges?: ServiceRanges;
}

/** From which Services get their addresses. */
const serviceNetwork = (network: string): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: { name: 'kubernetes' },
  spec: { cidrs: [network] },
  status: {
    conditions: [{ type: 'Ready', status: 'True', reason: '', message: 'Kubernetes default Service CIDR is ready' }],
  },
});

export const clusterObjects = ({
  clock,
  clientAuthorityPem,
  serviceRanges = USUAL_RANGES,
}: ClusterFacts): readonly JsonObject[] => [
  serviceNetwork(serviceRanges.network),
  // Servers behind the aggregation layer read here whom to believe.
  ...(clientAuthorityPem === undefined
    ? []
    : [configMap('extension-apiserver-authentication', { 'client-ca-file': clientAuthorityPem })]),
  configMap('kube-apiserver-legacy-service-account-token-tracking', { since: kubeTime(clock.now()).slice(0, 10) }),
];

const configMap = (name: string, data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
  data,
});
