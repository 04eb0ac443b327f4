// A Cluster with one host in use, whole: Metal3Cluster, Machine, Metal3Machine, BareMetalHost, and its Node in a workload cluster.

import { BareMetalHost } from '../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../kinds/generated/cluster.generated.ts';
import { Machine } from '../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../kinds/metal-wire.ts';
import { Node } from '../kube/core/node.ts';
import { aCluster, aMachine, ownedBy, put } from './objects.testing.ts';
import { kubeconfigText, type MetalTest, NS, putKubeconfig, type SimWorkload } from './workload/world.testing.ts';

export const HOST_KINDS = [Cluster, Machine, Metal3Cluster, Metal3Machine, BareMetalHost] as const;

const IN_CLUSTER = { 'cluster.x-k8s.io/cluster-name': 'c' };

/** A workload cluster behind a Cluster `c`, whose Metal3Cluster has these annotations. */
export async function aMetalCluster(
  metal: MetalTest,
  annotations: Readonly<Record<string, string>> = {},
): Promise<SimWorkload> {
  const infrastructureRef = { apiGroup: Metal3Cluster.group, kind: Metal3Cluster.kind, name: 'c' };
  const cluster = await aCluster(metal.api, 'c', { infrastructureRef });
  const metadata = { annotations, labels: IN_CLUSTER, ownerReferences: [ownedBy(Cluster, cluster)] };
  await put(metal.api, Metal3Cluster, 'c', { metadata, spec: { controlPlaneEndpoint: { host: '192.0.2.1' } } });
  const workload = await metal.workloadCluster('c');
  await putKubeconfig(metal.api, 'c', kubeconfigText('c'));
  return workload;
}

/** Host `h<n>` with Metal3Machine `m<n>`, Machine `m<n>` and Node `n<n>`. */
export async function aHostInUse(
  metal: MetalTest,
  workload: SimWorkload,
  number: number,
  more: { readonly hostLabels?: Record<string, string>; readonly nodeLabels?: Record<string, string> } = {},
): Promise<{ readonly machine: Machine; readonly metal3Machine: Metal3Machine; readonly host: BareMetalHost }> {
  const [machineName, hostName, nodeName] = [`m${number}`, `h${number}`, `n${number}`];
  await workload.api.create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName, labels: more.nodeLabels ?? {} },
  });
  const machine = await aMachine(metal.api, machineName, 'c', { status: { nodeRef: { name: nodeName } } });
  const metal3Machine = await put(metal.api, Metal3Machine, machineName, {
    metadata: {
      labels: IN_CLUSTER,
      annotations: { [HOST_ANNOTATION]: `${NS}/${hostName}` },
      ownerReferences: [ownedBy(Machine, machine)],
    },
    spec: { customDeploy: { method: 'install' } },
  });
  const consumerRef = {
    apiVersion: metal3Machine.apiVersion,
    kind: Metal3Machine.kind,
    namespace: NS,
    name: machineName,
  };
  const host = await put(metal.api, BareMetalHost, hostName, {
    metadata: { labels: { ...IN_CLUSTER, ...more.hostLabels } },
    spec: { online: true, consumerRef },
    status: { poweredOn: true, provisioning: { state: 'provisioned' } },
  });
  return { machine, metal3Machine, host };
}
