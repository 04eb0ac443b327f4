// What a Node may say of itself, and what a slice says of where things are.

import type { Case } from '../frame/case.ts';
import { inCluster, inNamespace, type Kind, odd, oddChanges } from './odd-objects.ts';

const node: Kind = { door: inCluster('nodes', '/api/v1'), sound: { spec: {} } };
const known: Kind = {
  door: inCluster('nodes', '/api/v1'),
  sound: { spec: { providerID: 'a://b', podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
};
const slice: Kind = {
  door: inNamespace('endpointslices', '/apis/discovery.k8s.io/v1'),
  sound: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
};
const endpoints = (...list: readonly object[]): Readonly<Record<string, unknown>> => ({ endpoints: list });
const at = (more: object): object => ({ addresses: ['10.1.2.3'], ...more });
const room = (capacity: object, more: object = {}): Readonly<Record<string, unknown>> => ({
  status: { capacity, ...more },
});

export const nodes: readonly Case[] = [
  odd(
    node,
    'a Node with anything odd is refused',
    [
      'taint',
      {},
      {
        taints: [
          { key: 'a b', value: 'c d', effect: 'x' },
          { key: '', effect: '' },
        ],
      },
    ],
    [
      'twice',
      {},
      {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', value: 'b', effect: 'NoSchedule' },
        ],
      },
    ],
    [
      'once each',
      {},
      {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
    ],
    ['network', {}, { podCIDR: 'x' }],
    ['networks', {}, { podCIDRs: ['x', 'y'] }],
    ['two of a family', {}, { podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] }],
    ['three', {}, { podCIDRs: ['10.1.0.0/24', 'fd00::/64', '10.2.0.0/24'] }],
    ['both', {}, { podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24'] }],
    ['not masked', {}, { podCIDR: '10.1.0.1/24' }],
    ['padded', {}, { podCIDR: '010.1.0.0/24' }],
    ['capacity', room({ cpu: '-1' })],
    ['half a device', room({ 'example.com/gpu': '1.5' })],
    ['half a Pod', room({ pods: '500m' })],
    ['odd name', room({ 'a b': '1' })],
    ['allocatable', room({ memory: '1' }, { allocatable: { memory: '-1' } })],
    ['pages', room({ 'hugepages-2Mi': '2Mi', 'hugepages-1Gi': '1Gi' })],
    ['provider', {}, { providerID: 'no url' }],
    ['configuration', {}, { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } }],
    ['external', {}, { externalID: 'x' }],
    ['name', { metadata: { name: 'A_b' } }],
    ['label', { metadata: { labels: { 'a b': 'c' } } }],
  ),
  oddChanges(
    known,
    'a Node keeps what others go by, and says each address once',
    ['provider', '', { spec: { providerID: 'a://c' } }],
    ['no provider', '', { spec: { providerID: null } }],
    ['network', '', { spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] } }],
    ['one more', '', { spec: { podCIDRs: ['10.1.0.0/24', 'fd00::/64'] } }],
    ['no network', '', { spec: { podCIDR: null, podCIDRs: null } }],
    ['no spec', '', { spec: null }],
    ['external', '', { spec: { externalID: 'x' } }],
    ['cordoned', '', { spec: { unschedulable: true } }],
    [
      'twice',
      '',
      {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
    ],
    ['capacity', '/status', { status: { capacity: { cpu: '-1' } } }],
    [
      'addresses',
      '/status',
      {
        status: {
          addresses: [
            { type: 'InternalIP', address: 'x' },
            { type: 'InternalIP', address: 'x' },
          ],
        },
      },
    ],
    ['odd address', '/status', { status: { addresses: [{ type: 'x', address: '' }] } }],
    ['images', '/status', { status: { images: [{ names: [] }] } }],
    ['conditions', '/status', { status: { conditions: [{ type: '', status: 'x' }] } }],
    ['port', '/status', { status: { daemonEndpoints: { kubeletEndpoint: { Port: -1 } } } }],
    ['attached', '/status', { status: { volumesAttached: [{ name: '', devicePath: '' }] } }],
    ['configuration', '/status', { status: { config: { assigned: {} } } }],
    ['features', '/status', { status: { declaredFeatures: ['B', 'A', 'A b'] } }],
    ['spec by status', '/status', { spec: { providerID: 'a://c' } }],
    ['taints by status', '/status', { spec: { taints: [{ key: 'a b', effect: 'x' }] } }],
  ),
  odd(
    slice,
    'each endpoint of a slice is where its addresses say',
    ['no type', { addressType: '' }],
    ['type', { addressType: 'x' }],
    ['twice', endpoints({ addresses: ['10.1.2.3', '10.1.2.3'] })],
    ['family', endpoints({ addresses: ['fd00::1'] })],
    ['none', endpoints({ addresses: ['x'] })],
    ['padded', endpoints({ addresses: ['010.1.2.3'] })],
    ['special', endpoints({ addresses: ['127.0.0.1'] }, { addresses: ['169.254.1.1'] }, { addresses: ['0.0.0.0'] })],
    ['many', endpoints({ addresses: Array.from({ length: 101 }, (_, index) => `10.1.2.${index}`) })],
    ['hostname', endpoints(at({ hostname: 'A_b' }))],
    ['node', endpoints(at({ nodeName: 'A_b' }))],
    ['topology', endpoints(at({ deprecatedTopology: { 'a b': 'c d' } }))],
    ['host in topology', endpoints(at({ deprecatedTopology: { 'kubernetes.io/hostname': 'a' } }))],
    ['zone', endpoints(at({ zone: 'a b' }))],
    ['hints', endpoints(at({ hints: { forZones: [{ name: '' }, { name: 'a' }, { name: 'a' }] } }))],
    ['node hints', endpoints(at({ hints: { forNodes: [{ name: '' }, { name: 'a' }, { name: 'a' }] } }))],
    [
      'many hints',
      endpoints(at({ hints: { forZones: Array.from({ length: 9 }, (_, index) => ({ name: `z${index}` })) } })),
    ],
    ['ports', { ports: [{ port: 80, protocol: 'x' }, { port: 70_000 }, { name: 'a'.repeat(64) }] }],
    ['port names', { ports: [{ name: 'a', port: 1 }, { name: 'a', port: 2 }, { name: '', appProtocol: 'a b' }, {}] }],
    ['many ports', { ports: Array.from({ length: 101 }, (_, index) => ({ name: `p${index}`, port: 1 })) }],
    ['names', { addressType: 'FQDN', endpoints: [{ addresses: ['A_b'] }, { addresses: ['example.com'] }] }],
    ['newer', { addressType: 'IPv6', endpoints: [{ addresses: ['FD00::1', 'fd00:0::1', '10.1.2.3', '::1'] }] }],
  ),
  oddChanges(
    slice,
    'an EndpointSlice keeps its family, and what was odd before stays',
    ['family', '', { addressType: 'IPv6', endpoints: [] }],
    ['name', '', { endpoints: [{ addresses: ['10.1.2.3'], hostname: 'A_b' }] }],
    ['gone', '', { endpoints: null, ports: null }],
  ),
];
