// The objects of a bare-metal fleet, as a person would write them: a pool, a template for data, hosts, a cluster, machines.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine, type Metal3MachineSpec } from '../../kinds/generated/metal3-machine.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { apiVersionOf, type Kind } from '../../kube/kind.ts';
import type { KubeObject, ObjectKey } from '../../kube/object.ts';

/** An object and the kind that it is created as. */
export type Made = readonly [Kind, KubeObject];

/** Written twice a day into documents, and used by nobody: RFC 5737 keeps this network for examples. */
const NETWORK = { start: '192.0.2.10', end: '192.0.2.250', prefix: 24, gateway: '192.0.2.1' };

export const IMAGE = { url: 'http://images.example/os.qcow2', checksum: 'http://images.example/os.sha256' };

const headOf = (kind: Kind, { namespace = '', name }: ObjectKey): KubeObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { namespace, name },
});

export function poolOf(key: ObjectKey, more: Partial<IPPool['spec']> = {}): IPPool {
  return { ...headOf(IPPool, key), spec: { namePrefix: key.name, pools: [NETWORK], ...more } };
}

/** One NIC with an address of the pool; the machine's name, its number and that address as meta data. */
export function templateOf(key: ObjectKey, pool: string): Metal3DataTemplate {
  const link = 'eth0';
  return {
    ...headOf(Metal3DataTemplate, key),
    spec: {
      metaData: {
        objectNames: [{ key: 'name', object: 'machine' }],
        indexes: [{ key: 'index' }],
        ipAddressesFromPool: [{ key: 'address', name: pool }],
      },
      networkData: {
        links: { ethernets: [{ id: link, type: 'phy', macAddress: { fromHostInterface: 'eth0' } }] },
        networks: {
          ipv4: [
            {
              id: 'net0',
              link,
              ipAddressFromIPPool: pool,
              routes: [{ network: '0.0.0.0', prefix: 0, gateway: { fromIPPool: pool } }],
            },
          ],
        },
      },
    },
  };
}

export function hostOf(key: ObjectKey, more: Partial<BareMetalHost['spec']> = {}): readonly Made[] {
  const credentials = { ...key, name: `${key.name}-bmc` };
  const secret: Secret = {
    ...headOf(Secret, credentials),
    data: { username: btoa('simulated'), password: btoa('simulated') },
  };
  const host: BareMetalHost = {
    ...headOf(BareMetalHost, key),
    spec: {
      online: false,
      bmc: { address: `redfish-virtualmedia://${key.name}.invalid`, credentialsName: credentials.name },
      ...more,
    },
  };
  return [
    [Secret, secret],
    [BareMetalHost, host],
  ];
}

/** The hosts of no cluster in particular: any that matches is taken. */
export function clusterOf(key: ObjectKey): readonly Made[] {
  const { name } = key;
  const metal: Metal3Cluster = {
    ...headOf(Metal3Cluster, key),
    spec: { controlPlaneEndpoint: { host: `${name}.invalid`, port: 6443 } },
  };
  const cluster: Cluster = {
    ...headOf(Cluster, key),
    spec: { infrastructureRef: { apiGroup: Metal3Cluster.group, kind: Metal3Cluster.kind, name } },
  };
  return [
    [Metal3Cluster, metal],
    [Cluster, cluster],
  ];
}

export interface MachineOf {
  readonly cluster: string;
  /** The Metal3DataTemplate; left out: the machine gets no data. */
  readonly template?: string;
  readonly spec?: Metal3MachineSpec;
}

/** A Machine, what is behind it, and the Secret that its host boots with. */
export function machineOf(key: ObjectKey, { cluster, template, spec }: MachineOf): readonly Made[] {
  const { namespace = '', name } = key;
  const labels = { [CLUSTER_NAME_LABEL]: cluster };
  const labelled = (kind: Kind): KubeObject => ({ ...headOf(kind, key), metadata: { namespace, name, labels } });
  const bootstrap: Secret = {
    ...headOf(Secret, { namespace, name: `${name}-bootstrap` }),
    type: 'cluster.x-k8s.io/secret',
    data: { value: btoa('#cloud-config\n') },
  };
  const metal: Metal3Machine = {
    ...labelled(Metal3Machine),
    spec: { image: IMAGE, ...(template === undefined ? {} : { dataTemplate: { name: template } }), ...spec },
  };
  const machine: Machine = {
    ...labelled(Machine),
    spec: {
      clusterName: cluster,
      bootstrap: { dataSecretName: bootstrap.metadata.name },
      infrastructureRef: { apiGroup: Metal3Machine.group, kind: Metal3Machine.kind, name },
    },
  };
  return [
    [Secret, bootstrap],
    [Metal3Machine, metal],
    [Machine, machine],
  ];
}
