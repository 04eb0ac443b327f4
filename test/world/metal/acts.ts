// What people and their tools do to a bare-metal fleet in a scenario, as the objects that kubectl would send.

import {
  clusterOf,
  hostOf,
  IMAGE,
  type MachineOf,
  type Made,
  machineOf,
  poolOf,
  templateOf,
} from '../../../src/fleet/up/metal-objects.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { IPPool, type IPPoolSpec } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../src/kinds/generated/machine-deployment.generated.ts';
import { MachineHealthCheck } from '../../../src/kinds/generated/machine-health-check.generated.ts';
import { Metal3DataClaim } from '../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../src/kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../../src/kinds/generated/metal3-machine-template.generated.ts';
import { Metal3Remediation } from '../../../src/kinds/generated/metal3-remediation.generated.ts';
import { Metal3RemediationTemplate } from '../../../src/kinds/generated/metal3-remediation-template.generated.ts';
import { HOST_ANNOTATION } from '../../../src/kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL, PAUSED_ANNOTATION } from '../../../src/kinds/wire.ts';
import type { Api, DeleteOptions } from '../../../src/kube/api.ts';
import { apiVersionOf, type Kind } from '../../../src/kube/kind.ts';
import type { KubeObject, OwnerReference } from '../../../src/kube/object.ts';
import { NS } from './names.ts';

const at = (name: string) => ({ namespace: NS, name });

async function createAll(api: Api, objects: readonly Made[]): Promise<void> {
  for (const [kind, object] of objects) await api.create(kind, object);
}

/** Addresses 192.0.2.10 to .250 unless told otherwise. */
export const createPool = (api: Api, name: string, spec?: Partial<IPPoolSpec>): Promise<IPPool> =>
  api.create(IPPool, poolOf(at(name), spec));

/** Its data takes one address of the pool. */
export const createTemplate = (api: Api, name: string, pool: string): Promise<Metal3DataTemplate> =>
  api.create(Metal3DataTemplate, templateOf(at(name), pool));

export const createHost = (api: Api, name: string, spec?: Partial<BareMetalHost['spec']>): Promise<void> =>
  createAll(api, hostOf(at(name), spec));

/** A Cluster and its Metal3Cluster; a workload cluster is opened with `fleet.workloads.open`. */
export const createCluster = (api: Api, name: string): Promise<void> => createAll(api, clusterOf(at(name)));

/** A Machine and its Metal3Machine, which takes a host, and data if it names a template. */
export const createMachine = (api: Api, name: string, what: MachineOf): Promise<void> =>
  createAll(api, machineOf(at(name), what));

/** A host, and a Machine bound to it that is paused: nothing happens to it, and claims may be made in its name. */
export async function createParkedMachine(api: Api, name: string, what: MachineOf): Promise<void> {
  await createHost(api, name);
  const hardware = { hostname: name, nics: [{ name: 'eth0', mac: '52:54:00:00:00:01' }] };
  const status = { poweredOn: false, provisioning: { state: 'available' }, hardware };
  await api.patch(BareMetalHost, at(name), { status }, { subresource: 'status' });
  const [secret, metal, machine] = machineOf(at(name), what);
  if (secret === undefined || metal === undefined || machine === undefined)
    throw new Error('a machine has three objects');
  await createAll(api, [secret, machine]);
  const owner = ownedBy(await api.get(Machine, at(name)));
  const annotations = { [PAUSED_ANNOTATION]: '', [HOST_ANNOTATION]: `${NS}/${name}` };
  await api.create(Metal3Machine, withMetadata(metal[1], { annotations, ownerReferences: [owner] }));
}

const withMetadata = (object: KubeObject, more: Partial<KubeObject['metadata']>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...more },
});

const ownedBy = ({ apiVersion, kind, metadata }: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  ...more,
});

/** A claim as a client would make it for a parked machine of its name: without the machine's finalizer. */
export async function createClaim(api: Api, name: string, template: string): Promise<Metal3DataClaim> {
  const machine = await api.get(Metal3Machine, at(name));
  return api.create(Metal3DataClaim, {
    apiVersion: apiVersionOf(Metal3DataClaim),
    kind: Metal3DataClaim.kind,
    metadata: {
      ...at(name),
      labels: { [CLUSTER_NAME_LABEL]: machine.metadata.labels?.[CLUSTER_NAME_LABEL] ?? '' },
      ownerReferences: [ownedBy(machine, { controller: true, blockOwnerDeletion: true })],
    },
    spec: { template: { name: template } },
  });
}

/** A repair of this Machine, as its health check would ask for it. */
export async function createRemediation(api: Api, name: string): Promise<Metal3Remediation> {
  const machine = await api.get(Machine, at(name));
  return api.create(Metal3Remediation, {
    apiVersion: apiVersionOf(Metal3Remediation),
    kind: Metal3Remediation.kind,
    metadata: { ...at(name), ownerReferences: [ownedBy(machine)] },
    spec: { strategy: { type: 'Reboot', retryLimit: 1, timeoutSeconds: 100 } },
  });
}

/** Unhealthy machines of the cluster are repaired, by remediations that are made from a template. */
export async function createHealthCheck(api: Api, cluster: string): Promise<void> {
  const strategy = { type: 'Reboot', retryLimit: 1, timeoutSeconds: 100 } as const;
  await api.create(Metal3RemediationTemplate, {
    apiVersion: apiVersionOf(Metal3RemediationTemplate),
    kind: Metal3RemediationTemplate.kind,
    metadata: at('repair'),
    spec: { template: { spec: { strategy } } },
  });
  const { kind } = Metal3RemediationTemplate;
  const templateRef = { apiVersion: apiVersionOf(Metal3RemediationTemplate), kind, name: 'repair' };
  await api.create(MachineHealthCheck, {
    apiVersion: apiVersionOf(MachineHealthCheck),
    kind: MachineHealthCheck.kind,
    metadata: at('health'),
    spec: { clusterName: cluster, selector: {}, remediation: { templateRef } },
  });
}

export interface DeploymentOf {
  readonly cluster: string;
  readonly template: string;
  readonly replicas: number;
  readonly nodeReuse?: boolean;
}

/** Machines by number; each takes a host and data of the template. A bare set of them where `kind` says so. */
export async function createDeployment(
  api: Api,
  name: string,
  what: DeploymentOf,
  kind: Kind = MachineDeployment,
): Promise<void> {
  const { cluster, template, replicas, nodeReuse } = what;
  await api.create(Metal3MachineTemplate, {
    apiVersion: apiVersionOf(Metal3MachineTemplate),
    kind: Metal3MachineTemplate.kind,
    metadata: at(name),
    spec: {
      ...(nodeReuse === undefined ? {} : { nodeReuse }),
      template: { spec: { image: IMAGE, dataTemplate: { name: template } } },
    },
  });
  const labels = { deployment: name };
  const spec = {
    clusterName: cluster,
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        clusterName: cluster,
        bootstrap: { dataSecretName: `${name}-bootstrap` },
        infrastructureRef: { apiGroup: Metal3MachineTemplate.group, kind: Metal3MachineTemplate.kind, name },
      },
    },
  };
  const machines: KubeObject & { readonly spec: unknown } = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: at(name),
    spec,
  };
  await api.create(kind, machines);
}

export const scale = (api: Api, deployment: string, replicas: number): Promise<MachineDeployment> =>
  api.patch(MachineDeployment, at(deployment), { spec: { replicas } });

/** `kubectl delete`, without waiting. */
export const remove = (api: Api, kind: Kind, name: string, how?: DeleteOptions): Promise<void> =>
  api.delete(kind, at(name), how);

/** What an impatient person does: every finalizer off, then deleted. */
export async function forceRemove(api: Api, kind: Kind, name: string): Promise<void> {
  await api.patch(kind, at(name), { metadata: { finalizers: null } });
  const object = await api.find(kind, at(name));
  if (object !== undefined) await api.delete(kind, at(name));
}

export const pauseCluster = (api: Api, name: string, paused: boolean): Promise<Cluster> =>
  api.patch(Cluster, at(name), { spec: { paused } });

/** `null` takes it off. */
export const annotate = (
  api: Api,
  kind: Kind,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<KubeObject> => api.patch(kind, at(name), { metadata: { annotations } });
