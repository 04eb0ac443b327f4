// Cases of networks and of their routes, each with the value that upstream would write for it.

import type { GoldenCase } from './golden.ts';

const annotation = { object: 'baremetalhost', annotation: 'pool' } as const;
const foreign = { name: 'pool-4', kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' };
const dns = (...addresses: readonly string[]) => addresses.map(address => ({ type: 'dns', address }));

export const networkCases: readonly GoldenCase[] = [
  {
    name: 'networks',
    networkData: {
      networks: {
        ipv6SLAAC: [{ id: 'slaac', link: 'eth0' }],
        ipv6DHCP: [{ id: 'dhcp-6', link: 'eth0' }],
        ipv4DHCP: [{ id: 'dhcp-4', link: 'eth0' }],
        ipv6: [{ id: 'six', link: 'eth0', ipAddressFromIPPool: 'pool-6' }],
        ipv4: [
          { id: 'by-name', link: 'eth0', ipAddressFromIPPool: 'pool-4' },
          { id: 'by-reference', link: 'eth1', fromPoolRef: foreign, ipAddressFromIPPool: 'bare' },
          { id: 'by-annotation', link: 'eth2', fromPoolAnnotation: annotation, fromPoolRef: foreign },
          { id: 'no-prefix', link: 'eth3', ipAddressFromIPPool: 'bare' },
        ],
      },
    },
    document: {
      links: [],
      networks: [
        {
          type: 'ipv4',
          id: 'by-name',
          link: 'eth0',
          ip_address: '192.168.0.14',
          netmask: '255.255.255.0',
          routes: [],
        },
        {
          type: 'ipv4',
          id: 'by-reference',
          link: 'eth1',
          ip_address: '192.168.0.14',
          netmask: '255.255.255.0',
          routes: [],
        },
        { type: 'ipv4', id: 'by-annotation', link: 'eth2', ip_address: '10.9.0.5', netmask: '255.255.0.0', routes: [] },
        { type: 'ipv4', id: 'no-prefix', link: 'eth3', ip_address: '10.8.0.5', netmask: '', routes: [] },
        {
          type: 'ipv6',
          id: 'six',
          link: 'eth0',
          ip_address: 'fe80::2001:38',
          netmask: 'ffff:ffff:ffff:ffff:ffff:ffff::',
          routes: [],
        },
        { type: 'ipv4_dhcp', id: 'dhcp-4', link: 'eth0', routes: [] },
        { type: 'ipv6_dhcp', id: 'dhcp-6', link: 'eth0', routes: [] },
        { type: 'ipv6_slaac', id: 'slaac', link: 'eth0', routes: [] },
      ],
      services: [],
    },
  },
  {
    name: 'routes',
    networkData: {
      networks: {
        ipv4DHCP: [
          {
            id: 'four',
            link: 'eth0',
            routes: [
              {
                network: '10.0.0.0',
                prefix: 16,
                gateway: { string: '192.168.1.1', fromIPPool: 'pool-4' },
                services: { dns: ['1.1.1.1', '1.0.0.1'], dnsFromIPPool: 'pool-4' },
              },
              { network: '10.1.0.0', prefix: 24, gateway: { fromIPPool: 'pool-4' } },
              { network: '10.2.0.0', prefix: 32, gateway: { fromPoolRef: { name: 'pool-4' }, fromIPPool: 'bare' } },
              { network: '10.3.0.0', gateway: { fromPoolAnnotation: annotation, fromPoolRef: { name: 'pool-4' } } },
              { network: '10.4.0.0', prefix: 8, gateway: {} },
              { network: '10.5.0.0', prefix: 8, gateway: { fromIPPool: 'bare' } },
            ],
          },
        ],
        ipv6DHCP: [
          {
            id: 'six',
            link: 'eth0',
            routes: [
              { network: '2001::', prefix: 64, gateway: { string: '2001::1' }, services: { dnsFromIPPool: 'pool-6' } },
              { network: '2002::', prefix: 112, gateway: { fromIPPool: 'pool-6' } },
              { network: '2003::', gateway: { fromPoolRef: { name: 'pool-6' } } },
            ],
          },
        ],
      },
    },
    document: {
      links: [],
      networks: [
        {
          type: 'ipv4_dhcp',
          id: 'four',
          link: 'eth0',
          routes: [
            {
              network: '10.0.0.0',
              netmask: '255.255.0.0',
              gateway: '192.168.1.1',
              services: dns('1.1.1.1', '1.0.0.1', '8.8.8.8', '8.8.4.4'),
            },
            { network: '10.1.0.0', netmask: '255.255.255.0', gateway: '192.168.0.1', services: [] },
            { network: '10.2.0.0', netmask: '255.255.255.255', gateway: '192.168.0.1', services: [] },
            { network: '10.3.0.0', netmask: '0.0.0.0', gateway: '10.9.0.1', services: [] },
            { network: '10.4.0.0', netmask: '255.0.0.0', gateway: '', services: [] },
            { network: '10.5.0.0', netmask: '255.0.0.0', gateway: '', services: [] },
          ],
        },
        {
          type: 'ipv6_dhcp',
          id: 'six',
          link: 'eth0',
          routes: [
            { network: '2001::', netmask: 'ffff:ffff:ffff:ffff::', gateway: '2001::1', services: dns('2001::8888') },
            {
              network: '2002::',
              netmask: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:0',
              gateway: 'fe80::2001:1',
              services: [],
            },
            { network: '2003::', netmask: '::', gateway: 'fe80::2001:1', services: [] },
          ],
        },
      ],
      services: [],
    },
  },
];
