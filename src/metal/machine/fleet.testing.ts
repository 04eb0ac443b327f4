// A Cluster with hosts and machines for the tests of this folder and of ../host. What the hosts do is told by hand.

import {
  BareMetalHost,
  type BareMetalHostSpec,
  type BareMetalHostStatus,
} from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { MachineSet } from '../../kinds/generated/machine-set.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine, type Metal3MachineSpec } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../kinds/generated/metal3-machine-template.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import type { ObjectMeta } from '../../kube/object.ts';
import { controller, keyController } from '../../kube/run.ts';
import { at, ownedBy, put, said } from '../objects.testing.ts';
import {
  aMetalTest,
  type Between,
  kubeconfigText,
  type MetalTest,
  NS,
  putKubeconfig,
  type SimWorkload,
} from '../workload/world.testing.ts';
import { metal3Machine } from './controller.ts';
import { hostPause } from './host-pause.ts';
import { orphanClaims } from './orphan-claims.ts';
import { orphanHosts } from './orphan-hosts.ts';

export const CLUSTER = 'c1';
export const IMAGE = {
  url: 'http://images/os.qcow2',
  checksum: 'abc',
  checksumType: 'sha256',
  diskFormat: 'qcow2',
} as const;

export interface HostMore {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: BareMetalHostSpec;
  readonly status?: BareMetalHostStatus;
}

export interface MachineMore {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Metal3MachineSpec;
  readonly machine?: Partial<Machine['spec']>;
  readonly machineMetadata?: Partial<ObjectMeta>;
}

export interface Fleet extends MetalTest {
  readonly workload: SimWorkload;
  /** An available host. */
  host(name: string, more?: HostMore): Promise<BareMetalHost>;
  /** What the Bare Metal Operator says of a host from now on; one that is provisioned is on, any other is off. */
  state(name: string, state: string, more?: BareMetalHostStatus): Promise<void>;
  /** A Machine and its Metal3Machine. */
  machine(name: string, more?: MachineMore): Promise<Metal3Machine>;
  /** Data of a claim, with its secrets. */
  rendered(claim: string, data: string): Promise<void>;
  readonly hostOf: (name: string) => Promise<BareMetalHost>;
  readonly machineOf: (name: string) => Promise<Metal3Machine>;
  readonly claimOf: (name: string) => Promise<Metal3DataClaim | undefined>;
  /** `namespace/name` of the host that a machine has on record. */
  recorded(name: string): Promise<string | undefined>;
  /** Metal3Machine or nothing, by host name. */
  consumer(host: string): Promise<string | undefined>;
  said(machine: string, type: string): Promise<string>;
  /** Writes of controllers that touched this path. */
  writesTo(part: string): readonly string[];
}

const AVAILABLE: BareMetalHostStatus = { provisioning: { state: 'available' }, poweredOn: false };

const KINDS = [
  BareMetalHost,
  Cluster,
  Machine,
  MachineSet,
  Metal3Cluster,
  Metal3Data,
  Metal3DataClaim,
  Metal3Machine,
  Metal3MachineTemplate,
];

export async function aFleet(between?: Between): Promise<Fleet> {
  const metal = await aMetalTest(KINDS, between);
  const { api } = metal;
  const workload = await metal.workloadCluster(CLUSTER);
  await put(api, Metal3Cluster, CLUSTER, { spec: { controlPlaneEndpoint: { host: '192.0.2.1', port: 6443 } } });
  const infrastructureRef = { apiGroup: Metal3Cluster.group, kind: 'Metal3Cluster', name: CLUSTER };
  await put(api, Cluster, CLUSTER, {
    spec: { infrastructureRef },
    status: { initialization: { infrastructureProvisioned: true } },
  });
  await putKubeconfig(api, CLUSTER, kubeconfigText(CLUSTER));
  metal.run(
    controller(metal3Machine),
    keyController(hostPause),
    keyController(orphanClaims),
    keyController(orphanHosts),
  );
  const fleet: Fleet = Object.create(metal, {}) as Fleet;
  return Object.assign(fleet, {
    workload,
    host: async (name: string, { metadata, spec, status = AVAILABLE }: HostMore = {}) => {
      const credentialsName = `${name}-bmc`;
      await put<Secret>(api, Secret, credentialsName, { data: { password: 'c2VjcmV0' } });
      return put(api, BareMetalHost, name, {
        ...(metadata === undefined ? {} : { metadata }),
        spec: { online: false, bmc: { address: 'redfish://bmc', credentialsName }, ...spec },
        status,
      });
    },
    state: async (name: string, state: string, more: BareMetalHostStatus = {}) => {
      const status = { poweredOn: state === 'provisioned', ...more, provisioning: { state } };
      await api.patch(BareMetalHost, at(name), { status }, { subresource: 'status' });
    },
    machine: (name: string, more: MachineMore = {}) => aMachineOf(metal, name, more),
    rendered: async (claim: string, data: string) => rendered(metal, claim, data),
    hostOf: (name: string) => api.get(BareMetalHost, at(name)),
    machineOf: (name: string) => api.get(Metal3Machine, at(name)),
    claimOf: (name: string) => api.find(Metal3DataClaim, at(name)),
    recorded: async (name: string) => (await api.get(Metal3Machine, at(name))).metadata.annotations?.[HOST_ANNOTATION],
    consumer: async (host: string) => {
      const { consumerRef } = (await api.get(BareMetalHost, at(host))).spec ?? {};
      return consumerRef === undefined ? undefined : `${consumerRef.kind} ${consumerRef.name}`;
    },
    said: async (machine: string, type: string) => said(await api.get(Metal3Machine, at(machine)), type),
    writesTo: (part: string) => metal.writes.filter(write => write.includes(part)),
  });
}

async function aMachineOf({ api }: MetalTest, name: string, more: MachineMore): Promise<Metal3Machine> {
  const infrastructureRef = { apiGroup: Metal3Machine.group, kind: Metal3Machine.kind, name };
  const labels = { 'cluster.x-k8s.io/cluster-name': CLUSTER };
  const machine = await put(api, Machine, name, {
    metadata: { ...more.machineMetadata, labels: { ...labels, ...more.machineMetadata?.labels } },
    spec: { clusterName: CLUSTER, bootstrap: { dataSecretName: 'boot' }, infrastructureRef, ...more.machine },
  });
  return put(api, Metal3Machine, name, {
    metadata: {
      ownerReferences: [ownedBy(Machine, machine)],
      ...more.metadata,
      labels: { ...labels, ...more.metadata?.labels },
    },
    spec: more.spec ?? { image: IMAGE },
  });
}

async function rendered({ api }: MetalTest, claimName: string, name: string): Promise<void> {
  const claim = await api.get(Metal3DataClaim, at(claimName));
  await put(api, Metal3Data, name, {
    metadata: { ownerReferences: [ownedBy(Metal3DataClaim, claim)] },
    spec: {
      index: Number(name.split('-').at(-1)),
      claim: at(claimName),
      template: { name: 't', namespace: NS },
      metaData: { name: `${claimName}-metadata`, namespace: NS },
      networkData: { name: `${claimName}-networkdata`, namespace: NS },
    },
    status: { ready: true },
  });
  const status = { renderedData: { name, namespace: NS } };
  await api.patch(Metal3DataClaim, at(claimName), { status }, { subresource: 'status' });
}

/** Machine `m<name>` on host `h<name>`, with data, as a provisioned one is. */
export async function provisionedFleet(fleet: Fleet, name = '1'): Promise<void> {
  await fleet.host(`h${name}`);
  await fleet.machine(`m${name}`, { spec: { image: IMAGE, dataTemplate: { name: 't' } } });
  await fleet.pass(200);
  await fleet.rendered(`m${name}`, `t-${name}`);
  await fleet.pass(200);
  await fleet.state(`h${name}`, 'provisioned', { poweredOn: true, hardware: { hostname: `node-${name}` } });
  await fleet.pass(200);
}
