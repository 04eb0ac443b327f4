// A host with all that its data is rendered from, to be changed where a test needs another.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { MetaData, NetworkData, PoolAddress, RenderingInput } from './input.ts';

const NAMESPACE = 'metal3';

const about = (name: string, object: string) => ({
  name,
  namespace: NAMESPACE,
  labels: { rack: `rack-of-${object}` },
  annotations: { mac: 'AB:CD:EF:01:23:45', pool: 'annotated', note: `note-of-${object}` },
});

const machine: Machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: about('machine-0', 'machine'),
  spec: {
    clusterName: 'cluster-0',
    bootstrap: {},
    infrastructureRef: { kind: 'Metal3Machine', name: 'm3m-0' },
  },
};

const metal3Machine: Metal3Machine = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'Metal3Machine',
  metadata: about('m3m-0', 'metal3machine'),
};

export const aHost = (change: Partial<BareMetalHost> = {}): BareMetalHost => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'BareMetalHost',
  metadata: about('host-0', 'baremetalhost'),
  spec: { bootMACAddress: '00:11:22:33:44:55' },
  status: {
    hardware: { nics: [{ name: 'eth0', mac: '12:34:56:78:9A:BC' }, { name: 'eth1', mac: 'XX:XX' }, { name: 'eth2' }] },
  },
  ...change,
});

export const aTemplate = (spec: { metaData?: MetaData; networkData?: NetworkData }): Metal3DataTemplate => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'Metal3DataTemplate',
  metadata: { name: 'template-0', namespace: NAMESPACE },
  spec,
});

const someAddresses: ReadonlyMap<string, PoolAddress> = new Map([
  ['pool-4', { address: '192.168.0.14', prefix: 24, gateway: '192.168.0.1', dnsServers: ['8.8.8.8', '8.8.4.4'] }],
  ['pool-6', { address: 'fe80::2001:38', prefix: 96, gateway: 'fe80::2001:1', dnsServers: ['2001::8888'] }],
  ['annotated', { address: '10.9.0.5', prefix: 16, gateway: '10.9.0.1', dnsServers: [] }],
  ['bare', { address: '10.8.0.5', dnsServers: [] }],
]);

export function anInput(
  spec: { metaData?: MetaData; networkData?: NetworkData },
  change: Partial<RenderingInput> = {},
): RenderingInput {
  return {
    template: aTemplate(spec),
    index: 2,
    namespace: NAMESPACE,
    machine,
    metal3Machine,
    host: aHost(),
    addresses: someAddresses,
    ...change,
  };
}
