// Services: ranges, affinity and policies, each allowed only where it means something.

import type { Case } from '../frame/case.ts';
import { changing, inOwnNamespace, trying } from './tried.ts';

const spec = { ports: [{ port: 80 }] };
const door = inOwnNamespace('services', '/api/v1');
const tried = trying(door, { spec });
const of = (more: object): object => ({ spec: { ...spec, ...more } });
/** Without ports of Nodes, which differ from run to run. */
const balanced = (more: object): object => of({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ...more });

export const serviceRules: readonly Case[] = [
  tried(
    'ranges of a Service are networks, of one that is balanced',
    balanced({ loadBalancerSourceRanges: ['192.168.0.0/16'] }),
    balanced({ loadBalancerSourceRanges: ['192.168.0.0'] }),
    balanced({ loadBalancerSourceRanges: ['some', '192.168.0.0/33'] }),
    of({ loadBalancerSourceRanges: ['192.168.0.0/16'] }),
  ),
  tried(
    'affinity of a Service lasts seconds up to a day',
    of({ sessionAffinity: 'ClientIP' }),
    of({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }),
    of({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    of({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } }),
    of({ sessionAffinity: 'ClientIP', sessionAffinityConfig: {} }),
    of({ sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }),
  ),
  tried(
    'where traffic of a Service goes is said in words',
    of({ internalTrafficPolicy: 'Local' }),
    of({ internalTrafficPolicy: 'Odd' }),
    of({ externalTrafficPolicy: 'Local' }),
    balanced({ externalTrafficPolicy: 'Odd' }),
    of({ trafficDistribution: 'PreferClose' }),
    of({ trafficDistribution: 'Odd' }),
  ),
  tried(
    'what is of a balanced Service alone is refused elsewhere',
    of({ allocateLoadBalancerNodePorts: true }),
    of({ loadBalancerClass: 'example.com/lb' }),
    of({ healthCheckNodePort: 30_999 }),
    balanced({ loadBalancerClass: 'example.com/lb' }),
    balanced({ loadBalancerClass: 'not a name' }),
    balanced({ healthCheckNodePort: 30_999 }),
  ),
  tried(
    'a port of a Service may say what is spoken on it',
    of({ ports: [{ port: 80, appProtocol: 'example.com/spoken' }] }),
    of({ ports: [{ port: 80, appProtocol: 'not a name' }] }),
    of({ ports: [{ port: 80, name: 'Not_A_Name' }] }),
    of({ ports: [{ port: 80, name: 'a'.repeat(64) }] }),
  ),
  tried(
    'the addresses of a Service agree with each other',
    of({ clusterIP: '10.0.0.77', clusterIPs: ['10.0.0.78'] }),
    of({ clusterIP: 'None', clusterIPs: ['None', 'None'] }),
    of({ clusterIPs: ['10.0.0.77'] }),
    of({ ipFamilies: ['IPv4', 'IPv4'] }),
    of({ ipFamilies: ['IPv6'] }),
    of({ ipFamilyPolicy: 'RequireDualStack' }),
  ),
  tried(
    'a name outside takes nothing of a Service inside',
    { spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: '10.0.0.77' } },
    { spec: { type: 'ExternalName', externalName: 'example.com', sessionAffinity: 'ClientIP' } },
    { spec: { type: 'ExternalName', externalName: 'example.com.' } },
    { spec: { type: 'ExternalName', externalName: 'example.com', ipFamilies: ['IPv4'] } },
  ),
  tried(
    'the selector of a Service is of labels',
    of({ selector: { 'not a key': 'a' } }),
    of({ selector: { a: 'not a value' } }),
  ),
  tried(
    'addresses outside that lead to a Service are of the outside',
    of({ externalIPs: ['192.168.0.1'] }),
    of({ externalIPs: ['0.0.0.0'] }),
    of({ externalIPs: ['169.254.0.1'] }),
    of({ externalIPs: ['224.0.0.1'] }),
    of({ externalIPs: ['mine'] }),
  ),
  changing(door, balanced({ loadBalancerClass: 'example.com/lb' }))(
    'the class of a balanced Service is fixed while it is balanced',
    { spec: { loadBalancerClass: 'example.com/other' } },
    { spec: { loadBalancerClass: null } },
    { spec: { type: 'ClusterIP', loadBalancerClass: null, allocateLoadBalancerNodePorts: null } },
  ),
];
