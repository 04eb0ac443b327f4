// What Services, Ingresses and network policies get when their author did not say.

import { type Draft, listAt } from '../json.ts';
import { draftAt, draftIn, draftsAt, fill, fillAbsent } from './fill.ts';

const AFFINITY_SECONDS = 10_800;

export function defaultService(service: Draft): void {
  defaultIngressModes(service);
  const spec = draftIn(service, 'spec');
  fill(spec, 'sessionAffinity', 'None');
  if (spec.sessionAffinity === 'ClientIP') {
    fillAbsent(draftIn(draftIn(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', AFFINITY_SECONDS);
  }
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  fill(spec, 'type', 'ClusterIP');
  for (const port of draftsAt(spec, 'ports')) {
    fill(port, 'protocol', 'TCP');
    if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port ?? 0;
    fillAbsent(port, 'targetPort', port.port ?? 0);
  }
  if (spec.type === 'ExternalName') return;
  const isPublished =
    spec.type === 'NodePort' || spec.type === 'LoadBalancer' || listAt(spec, 'externalIPs').length > 0;
  if (isPublished) fill(spec, 'externalTrafficPolicy', 'Cluster');
  fill(spec, 'internalTrafficPolicy', 'Cluster');
  if (spec.type === 'LoadBalancer') fillAbsent(spec, 'allocateLoadBalancerNodePorts', true);
}

/** What a load balancer answers at is the Service's own address unless it says otherwise. */
function defaultIngressModes(service: Draft): void {
  const balancer = draftAt(draftIn(service, 'status'), 'loadBalancer');
  for (const ingress of balancer === undefined ? [] : draftsAt(balancer, 'ingress')) {
    if (ingress.ip !== undefined) fill(ingress, 'ipMode', 'VIP');
  }
}

export function defaultEndpoints(endpoints: Draft): void {
  for (const subset of draftsAt(endpoints, 'subsets')) {
    for (const port of draftsAt(subset, 'ports')) fill(port, 'protocol', 'TCP');
  }
}

export function defaultEndpointSlice(slice: Draft): void {
  for (const port of draftsAt(slice, 'ports')) {
    fillAbsent(port, 'name', '');
    fill(port, 'protocol', 'TCP');
  }
}

export function defaultNetworkPolicy(policy: Draft): void {
  const spec = draftIn(policy, 'spec');
  for (const rule of [...draftsAt(spec, 'ingress'), ...draftsAt(spec, 'egress')]) {
    for (const port of draftsAt(rule, 'ports')) fill(port, 'protocol', 'TCP');
  }
  const types = draftsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  const given = spec.policyTypes;
  if (!Array.isArray(given) || given.length === 0) spec.policyTypes = types;
}

export function defaultIngressClass(ingressClass: Draft): void {
  const parameters = draftAt(draftIn(ingressClass, 'spec'), 'parameters');
  if (parameters !== undefined) fill(parameters, 'scope', 'Cluster');
}
