// NetworkPolicies: peers, ports and blocks of addresses.

import type { Case } from '../frame/case.ts';
import { inOwnNamespace, trying } from './tried.ts';

const from = (...peers: readonly object[]): object => ({ spec: { podSelector: {}, ingress: [{ from: peers }] } });
const to = (...peers: readonly object[]): object => ({ spec: { podSelector: {}, egress: [{ to: peers }] } });
const at = (...ports: readonly object[]): object => ({ spec: { podSelector: {}, ingress: [{ ports }] } });
const block = (cidr: string, ...except: readonly string[]): object => from({ ipBlock: { cidr, except } });

const tried = trying(inOwnNamespace('networkpolicies', '/apis/networking.k8s.io/v1'), { spec: { podSelector: {} } });

export const networkPolicies: readonly Case[] = [
  tried('a NetworkPolicy is for Pods that it selects, all by default', {}, { spec: {} }, { spec: null }),
  tried(
    'the selector of a NetworkPolicy is sound',
    { spec: { podSelector: { matchLabels: { 'not a key': 'a' } } } },
    { spec: { podSelector: { matchLabels: { a: 'not a value' } } } },
    { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] } } },
    { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
    { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } } },
    { spec: { podSelector: { matchExpressions: [{ key: 'not a key', operator: 'Exists' }] } } },
  ),
  tried(
    'a peer of a NetworkPolicy is one thing',
    from({}),
    from({ podSelector: {}, namespaceSelector: {} }),
    from({ podSelector: {}, ipBlock: { cidr: '192.168.0.0/16' } }),
    from({ namespaceSelector: { matchLabels: { 'not a key': 'a' } } }),
    to({}),
    to({ podSelector: { matchLabels: { 'not a key': 'a' } } }),
  ),
  tried(
    'a block of a NetworkPolicy is a network without some of it',
    block('192.168.0.0/16', '192.168.1.0/24'),
    block(''),
    block('all'),
    block('192.168.0.0'),
    block('192.168.0.0/16', '172.16.0.0/24'),
    block('192.168.0.0/16', '192.168.0.0/16'),
    block('192.168.0.0/16', '192.0.0.0/8'),
    block('192.168.0.0/16', 'some'),
    block('2001:db8::/32', '2001:db8:1::/48'),
  ),
  tried(
    'a port of a NetworkPolicy is a number or a name of a protocol',
    at({ port: 80 }, { port: 'http' }),
    at({ port: 0 }),
    at({ port: 70_000 }),
    at({ port: 'Not_A_Port' }),
    at({ protocol: 'IPX', port: 80 }),
    at({ protocol: 'SCTP' }),
  ),
  tried(
    'ports of a NetworkPolicy go from one to another',
    at({ port: 80, endPort: 90 }),
    at({ port: 80, endPort: 70 }),
    at({ endPort: 90 }),
    at({ port: 'http', endPort: 90 }),
    at({ port: 80, endPort: 70_000 }),
  ),
  tried(
    'a NetworkPolicy is for ingress, egress or both',
    { spec: { podSelector: {}, policyTypes: ['Egress'] } },
    { spec: { podSelector: {}, policyTypes: ['Odd'] } },
    { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Ingress'] } },
  ),
];
