// What is about the cluster itself: odd drivers, attachments, addresses, flows, and what leads to Pods.

import type { Case } from '../frame/case.ts';
import { inCluster, inNamespace, type Kind, odd } from './odd-objects.ts';

const storage = '/apis/storage.k8s.io/v1';
const driver: Kind = { door: inCluster('csidrivers', storage), sound: { spec: {} } };
const attachment: Kind = {
  door: inCluster('volumeattachments', storage),
  sound: { spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
};
const networking = '/apis/networking.k8s.io/v1';
const address: Kind = {
  door: inCluster('ipaddresses', networking),
  sound: { metadata: { name: '10.1.2.3' }, spec: { parentRef: { resource: 'services', name: 'a', namespace: 'b' } } },
};
const range: Kind = { door: inCluster('servicecidrs', networking), sound: { spec: { cidrs: ['10.9.0.0/24'] } } };
const flow: Kind = {
  door: inCluster('flowschemas', '/apis/flowcontrol.apiserver.k8s.io/v1'),
  sound: { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
};
const policy: Kind = {
  door: inNamespace('networkpolicies', networking),
  sound: { spec: { podSelector: {} } },
};
const slice: Kind = {
  door: inNamespace('endpointslices', '/apis/discovery.k8s.io/v1'),
  sound: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
};
const service: Kind = { door: inNamespace('services', '/api/v1'), sound: { spec: { ports: [{ port: 80 }] } } };

export const cluster: readonly Case[] = [
  odd(
    driver,
    'a CSIDriver with anything odd is refused',
    ['name', { metadata: { name: 'a'.repeat(64) } }],
    ['policy', {}, { fsGroupPolicy: 'x' }],
    ['modes', {}, { volumeLifecycleModes: ['x'] }],
    ['tokens', {}, { tokenRequests: [{ audience: 'a' }, { audience: 'a', expirationSeconds: 1 }] }],
    ['period', {}, { nodeAllocatableUpdatePeriodSeconds: 1 }],
    ['sound', {}, { fsGroupPolicy: 'File', volumeLifecycleModes: ['Ephemeral'] }],
  ),
  odd(
    attachment,
    'a VolumeAttachment with anything odd is refused',
    ['attacher', {}, { attacher: '' }],
    ['attacher name', {}, { attacher: 'A_b' }],
    ['no node', {}, { nodeName: '' }],
    ['node name', {}, { nodeName: 'A_b' }],
    ['no source', {}, { source: {} }],
    ['source name', {}, { source: { persistentVolumeName: 'A_b' } }],
    ['both', {}, { source: { persistentVolumeName: 'v', inlineVolumeSpec: { capacity: { storage: '1' } } } }],
  ),
  odd(
    address,
    'an IPAddress with anything odd is refused',
    ['name', { metadata: { name: 'x' } }],
    ['no parent', { spec: {} }],
    ['parent', { spec: { parentRef: { group: 'A_b', resource: 'C/d', namespace: 'e.f', name: 'g/h' } } }],
    ['empty parent', { spec: { parentRef: {} } }],
  ),
  odd(
    range,
    'a ServiceCIDR with anything odd is refused',
    ['none', {}, { cidrs: [] }],
    ['bad', {}, { cidrs: ['x'] }],
    ['two of a family', {}, { cidrs: ['10.9.0.0/24', '10.8.0.0/24'] }],
    ['three', {}, { cidrs: ['10.9.0.0/24', 'fd00::/64', '10.8.0.0/24'] }],
  ),
  odd(
    flow,
    'a FlowSchema with anything odd is refused',
    ['precedence', {}, { matchingPrecedence: -1 }],
    ['high precedence', {}, { matchingPrecedence: 10_001 }],
    ['first', {}, { matchingPrecedence: 1 }],
  ),
  odd(
    policy,
    'a NetworkPolicy with anything odd is refused',
    ['selector', {}, { podSelector: { matchExpressions: [{ key: 'a b', operator: 'x' }] } }],
    ['types', {}, { policyTypes: ['x', 'Ingress', 'Egress'] }],
    ['port', {}, { ingress: [{ ports: [{ protocol: 'x', port: 0 }] }] }],
    ['named port', {}, { ingress: [{ ports: [{ port: 'A_b', endPort: 5 }] }] }],
    ['end', {}, { egress: [{ ports: [{ port: 80, endPort: 79 }, { endPort: 5 }] }] }],
    ['no peer', {}, { ingress: [{ from: [{}] }] }],
    ['block', {}, { ingress: [{ from: [{ ipBlock: { cidr: 'x' } }, { ipBlock: { cidr: '' } }] }] }],
    [
      'except',
      {},
      { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/24', except: ['10.1.0.0/24', 'x', '10.0.0.0/24'] } }] }] },
    ],
    ['both', {}, { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/24' }, podSelector: {} }] }] }],
    [
      'peers',
      {},
      {
        egress: [
          {
            to: [
              {
                podSelector: { matchLabels: { 'a b': 'c' } },
                namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
              },
            ],
          },
        ],
      },
    ],
  ),
  odd(
    slice,
    'an EndpointSlice with anything odd is refused',
    ['ports', { ports: [{ name: 'A_b' }, { name: 'a', port: 0 }, { name: 'a' }] }],
    ['no addresses', { endpoints: [{ addresses: [] }] }],
  ),
  odd(
    service,
    'a port of a Service with anything odd is refused',
    ['names', {}, { ports: [{ port: 80, name: 'A_b' }, { port: 81, name: 'a.b' }, { port: 82 }] }],
    ['long name', {}, { ports: [{ port: 80, name: 'a'.repeat(64) }] }],
    [
      'the same name',
      {},
      {
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'a' },
        ],
      },
    ],
    [
      'the same port',
      {},
      {
        ports: [
          { port: 80, name: 'a' },
          { port: 80, name: 'b' },
        ],
      },
    ],
    ['target', {}, { ports: [{ port: 0, targetPort: 'A_b', protocol: 'x', appProtocol: 'a b' }] }],
    [
      'long target',
      {},
      {
        ports: [
          { port: 80, targetPort: 'a'.repeat(16) },
          { port: 81, targetPort: 70000 },
        ],
      },
    ],
  ),
];
