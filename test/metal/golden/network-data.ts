// Cases of network data as a whole, of links and of name servers, each with the value that upstream would write.

import type { GoldenCase } from './golden.ts';

const MAC = '12:34:56:78:9A:BC';
const literal = { string: MAC };

export const networkDataCases: readonly GoldenCase[] = [
  {
    name: 'network-data-full',
    networkData: {
      links: { ethernets: [{ id: 'eth0', type: 'phy', mtu: 1500, macAddress: literal }] },
      networks: {
        ipv4: [
          {
            id: 'network-0',
            link: 'eth0',
            ipAddressFromIPPool: 'pool-4',
            routes: [
              {
                network: '10.0.0.0',
                prefix: 16,
                gateway: { string: '192.168.1.1' },
                services: { dns: ['8.8.8.8'] },
              },
            ],
          },
        ],
      },
      services: { dns: ['8.8.8.8', '2001::8888'] },
    },
    document: {
      links: [{ type: 'phy', id: 'eth0', mtu: 1500, ethernet_mac_address: MAC }],
      networks: [
        {
          type: 'ipv4',
          id: 'network-0',
          link: 'eth0',
          ip_address: '192.168.0.14',
          netmask: '255.255.255.0',
          routes: [
            {
              network: '10.0.0.0',
              netmask: '255.255.0.0',
              gateway: '192.168.1.1',
              services: [{ type: 'dns', address: '8.8.8.8' }],
            },
          ],
        },
      ],
      services: [
        { type: 'dns', address: '8.8.8.8' },
        { type: 'dns', address: '2001::8888' },
      ],
    },
  },
  {
    name: 'network-data-one-link',
    networkData: { links: { ethernets: [{ id: 'eth0', type: 'phy', mtu: 1500, macAddress: literal }] } },
    document: {
      links: [{ type: 'phy', id: 'eth0', mtu: 1500, ethernet_mac_address: MAC }],
      networks: [],
      services: [],
    },
  },
  { name: 'network-data-empty', networkData: {}, document: { links: [], networks: [], services: [] } },
  {
    name: 'network-data-services',
    networkData: { services: { dns: ['8.8.8.8', '2001::8888'], dnsFromIPPool: 'pool-4' } },
    document: {
      links: [],
      networks: [],
      services: ['8.8.8.8', '2001::8888', '8.8.8.8', '8.8.4.4'].map(address => ({ type: 'dns', address })),
    },
  },
  {
    name: 'network-data-links',
    networkData: {
      links: {
        vlans: [
          { id: 'vlan-0', vlanID: 2222, vlanLink: 'eth0', mtu: 1500, macAddress: literal },
          { id: 'vlan-1', vlanID: 0, vlanLink: 'eth0', mtu: 1280, macAddress: {}, name: 'storage' },
        ],
        ethernets: [
          { id: 'eth0', type: 'phy', macAddress: { fromHostInterface: 'eth0' }, name: 'lan0' },
          { id: 'eth1', type: 'vhostuser', mtu: 9000, macAddress: {} },
          { id: 'eth2', type: 'vif', macAddress: { fromAnnotation: { object: 'machine', annotation: 'mac' } } },
          { id: 'eth3', type: 'vif', macAddress: { fromAnnotation: { object: 'metal3machine', annotation: 'mac' } } },
          { id: 'eth4', type: 'vif', macAddress: { fromAnnotation: { object: 'baremetalhost', annotation: 'mac' } } },
          { id: 'eth5', type: 'phy', macAddress: { string: '00-11-22-33-44-55', fromHostInterface: 'none' } },
        ],
        bonds: [
          {
            id: 'bond0',
            bondMode: '802.3ad',
            bondXmitHashPolicy: 'layer3+4',
            bondLinks: ['eth0', 'eth1'],
            macAddress: literal,
            parameters: [],
          },
          { id: 'bond1', bondMode: 'active-backup', name: 'up', macAddress: {}, parameters: [] },
          {
            id: 'bond2',
            bondMode: 'balance-rr',
            bondLinks: [],
            macAddress: {},
            parameters: [
              { name: 'miimon', value: 100 },
              { name: 'lacp_rate', value: 'fast' },
              { name: 'arp', value: { interval: 0.5, targets: ['10.0.0.1', null], '10': true, '9': {} } },
              { name: 'unset' },
            ],
          },
        ],
      },
    },
    document: {
      links: [
        {
          type: 'bond',
          id: 'bond0',
          mtu: 1500,
          bond_mode: '802.3ad',
          bond_xmit_hash_policy: 'layer3+4',
          bond_links: ['eth0', 'eth1'],
          ethernet_mac_address: MAC,
        },
        {
          type: 'bond',
          id: 'bond1',
          name: 'up',
          mtu: 1500,
          bond_mode: 'active-backup',
          bond_xmit_hash_policy: '',
          bond_links: null,
        },
        {
          type: 'bond',
          id: 'bond2',
          mtu: 1500,
          bond_mode: 'balance-rr',
          bond_xmit_hash_policy: '',
          bond_links: [],
          bond_miimon: 100,
          bond_lacp_rate: 'fast',
          bond_arp: { interval: 0.5, targets: ['10.0.0.1', null], '10': true, '9': {} },
          bond_unset: null,
        },
        { type: 'phy', id: 'eth0', name: 'lan0', mtu: 1500, ethernet_mac_address: MAC },
        { type: 'vhostuser', id: 'eth1', mtu: 9000 },
        { type: 'vif', id: 'eth2', mtu: 1500, ethernet_mac_address: 'AB:CD:EF:01:23:45' },
        { type: 'vif', id: 'eth3', mtu: 1500, ethernet_mac_address: 'AB:CD:EF:01:23:45' },
        { type: 'vif', id: 'eth4', mtu: 1500, ethernet_mac_address: 'AB:CD:EF:01:23:45' },
        { type: 'phy', id: 'eth5', mtu: 1500, ethernet_mac_address: '00-11-22-33-44-55' },
        { type: 'vlan', id: 'vlan-0', mtu: 1500, vlan_id: 2222, vlan_link: 'eth0', vlan_mac_address: MAC },
        { type: 'vlan', id: 'vlan-1', name: 'storage', mtu: 1280, vlan_id: 0, vlan_link: 'eth0' },
      ],
      networks: [],
      services: [],
    },
  },
];
