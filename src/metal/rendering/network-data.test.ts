import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PippinError } from '../../base/errors.ts';
import { renderNetworkData } from './index.ts';
import type { NetworkData } from './input.ts';
import { aHost, anInput } from './world.testing.ts';

const LINKS = 'spec.networkData.links';
const NETWORKS = 'spec.networkData.networks';

type Ethernet = NonNullable<NonNullable<NetworkData['links']>['ethernets']>[number];
type Bond = NonNullable<NonNullable<NetworkData['links']>['bonds']>[number];
type Network = NonNullable<NonNullable<NetworkData['networks']>['ipv4']>[number];

const ethernet = (macAddress: Ethernet['macAddress']): NetworkData => ({
  links: { ethernets: [{ id: 'eth0', type: 'phy', macAddress }] },
});

const network = (fields: Partial<Network>): NetworkData => ({
  networks: { ipv4: [{ id: 'network-0', link: 'eth0', ...fields }] },
});

const bond = (parameters: Bond['parameters']): NetworkData => ({
  links: { bonds: [{ id: 'bond0', bondMode: '802.3ad', bondLinks: ['eth0'], macAddress: {}, parameters }] },
});

test('a template without network data renders none', () => {
  assert.equal(renderNetworkData(anInput({})), undefined);
});

interface Refusal {
  readonly title: string;
  readonly networkData: NetworkData;
  readonly says: string;
}

const REFUSALS: readonly Refusal[] = [
  {
    title: 'a MAC of an interface that the host does not have',
    networkData: ethernet({ fromHostInterface: 'eth9' }),
    says: `${LINKS}.ethernets[0].macAddress.fromHostInterface "eth9": host metal3/host-0 has no such interface`,
  },
  {
    title: 'a MAC of an interface that is none',
    networkData: ethernet({ fromHostInterface: 'eth1' }),
    says: `${LINKS}.ethernets[0].macAddress.fromHostInterface "eth1": "XX:XX" is no MAC address`,
  },
  {
    title: 'a MAC of an interface without one',
    networkData: ethernet({ fromHostInterface: 'eth2' }),
    says: `${LINKS}.ethernets[0].macAddress.fromHostInterface "eth2": "" is no MAC address`,
  },
  {
    title: 'a literal that is no MAC',
    networkData: ethernet({ string: 'XX:34:56:78:9A:BC' }),
    says: `${LINKS}.ethernets[0].macAddress.string: "XX:34:56:78:9A:BC" is no MAC address`,
  },
  {
    title: 'a MAC from an annotation that is not there',
    networkData: ethernet({ fromAnnotation: { object: 'machine', annotation: 'absent' } }),
    says: `${LINKS}.ethernets[0].macAddress.fromAnnotation.annotation "absent": "" is no MAC address`,
  },
  {
    title: 'a MAC from an object that there is none of',
    networkData: JSON.parse(
      JSON.stringify(ethernet({ fromAnnotation: { object: 'machine', annotation: 'mac' } })).replace(
        '"machine"',
        '"switch"',
      ),
    ),
    says: `${LINKS}.ethernets[0].macAddress.fromAnnotation.object "switch": it is none of machine, metal3machine, baremetalhost`,
  },
  {
    title: 'parameters of a bond that the template sets by name',
    networkData: bond([
      { name: 'mode', value: 1 },
      { name: 'miimon', value: 100 },
      { name: 'links', value: [] },
    ]),
    says: `${LINKS}.bonds[0].parameters: "mode", "links" of link "bond0" cannot be set here`,
  },
  {
    title: 'a network of a pool that gave no address',
    networkData: network({ ipAddressFromIPPool: 'unknown' }),
    says: `${NETWORKS}.ipv4[0].ipAddressFromIPPool "unknown": no address of this pool is there`,
  },
  {
    title: 'a network of a referred pool that gave no address',
    networkData: network({ fromPoolRef: { name: 'unknown' } }),
    says: `${NETWORKS}.ipv4[0].fromPoolRef "unknown": no address of this pool is there`,
  },
  {
    title: 'a network whose pool an annotation should name that is not there',
    networkData: network({ fromPoolAnnotation: { object: 'machine', annotation: 'absent' } }),
    says: `${NETWORKS}.ipv4[0].fromPoolAnnotation.annotation "absent": the machine has none, or an empty one`,
  },
  {
    title: 'a static network that names no pool',
    networkData: network({}),
    says: `${NETWORKS}.ipv4[0]: it names no pool`,
  },
  {
    title: 'an IPv6 prefix in an IPv4 network',
    networkData: network({ ipAddressFromIPPool: 'pool-6' }),
    says: `${NETWORKS}.ipv4[0].ipAddressFromIPPool "pool-6": the prefix 96 is none of IPv4`,
  },
  {
    title: 'a gateway of a pool that gave no address',
    networkData: network({
      ipAddressFromIPPool: 'pool-4',
      routes: [{ network: '10.0.0.0', gateway: { fromIPPool: 'unknown' } }],
    }),
    says: `${NETWORKS}.ipv4[0].routes[0].gateway.fromIPPool "unknown": no address of this pool is there`,
  },
  {
    title: 'name servers of a route from a pool that gave no address',
    networkData: network({
      ipAddressFromIPPool: 'pool-4',
      routes: [{ network: '10.0.0.0', gateway: {}, services: { dnsFromIPPool: 'unknown' } }],
    }),
    says: `${NETWORKS}.ipv4[0].routes[0].services.dnsFromIPPool "unknown": no address of this pool is there`,
  },
  {
    title: 'name servers of a pool that gave no address',
    networkData: { services: { dnsFromIPPool: 'unknown' } },
    says: 'spec.networkData.services.dnsFromIPPool "unknown": no address of this pool is there',
  },
  {
    title: 'a character that YAML has no place for',
    networkData: { links: { vlans: [{ id: 'a\u007f', vlanID: 1, vlanLink: 'eth0', macAddress: {} }] } },
    says: 'networkData.links[0].id: the character U+007F cannot be written as YAML',
  },
];

for (const { title, networkData, says } of REFUSALS) {
  test(`${title} is refused by its field`, () => {
    assert.throws(() => renderNetworkData(anInput({ networkData })), refusalThatSays(says));
  });
}

for (const [title, status] of [
  ['that was not inspected', undefined],
  ['without hardware', {}],
  ['without a list of interfaces', { hardware: {} }],
  ['with an empty list of interfaces', { hardware: { nics: [] } }],
] as const) {
  test(`a host ${title} says that its interfaces are not known`, () => {
    const host = aHost({ ...(status && { status }) });
    const bare =
      status === undefined ? { apiVersion: host.apiVersion, kind: host.kind, metadata: host.metadata } : host;

    assert.throws(
      () => renderNetworkData(anInput({ networkData: ethernet({ fromHostInterface: 'eth0' }) }, { host: bare })),
      refusalThatSays(
        `${LINKS}.ethernets[0].macAddress.fromHostInterface "eth0": host metal3/host-0 has no list of interfaces: it is not inspected yet`,
      ),
    );
  });
}

const refusalThatSays =
  (says: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof PippinError);
    assert.equal(error.message, says);
    return true;
  };
