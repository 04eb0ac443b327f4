// What people and their tools do to a fleet in a story, as the objects that kubectl would send.

import { Cluster } from '../../src/kinds/generated/cluster.generated.ts';
import { MachineDeployment } from '../../src/kinds/generated/machine-deployment.generated.ts';
import { MachineHealthCheck } from '../../src/kinds/generated/machine-health-check.generated.ts';
import { ScalewayAppleSiliconMachineTemplate } from '../../src/kinds/generated/scaleway-apple-silicon-machine-template.generated.ts';
import { TuistCluster } from '../../src/kinds/generated/tuist-cluster.generated.ts';
import { HOST_ID, VM_CLEANUP } from '../../src/kinds/wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod, type PodSpec } from '../../src/kube/core/pod.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { NS } from './names.ts';

const INFRA = 'infrastructure.cluster.x-k8s.io';

/** Asks for a Mac without Cluster API around it. */
export function createMac(api: Api, name: string, namespace = NS): Promise<MacMachine> {
  return api.create(MacMachine, {
    apiVersion: `${INFRA}/v1alpha1`,
    kind: MacMachine.kind,
    metadata: { name, namespace },
    spec: {},
  });
}

/** A cluster of workers and a set of Macs in it. */
export async function createDeployment(api: Api, name: string, replicas: number): Promise<void> {
  const metadata = { name, namespace: NS };
  await api.create(TuistCluster, { apiVersion: `${INFRA}/v1alpha1`, kind: TuistCluster.kind, metadata, spec: {} });
  await api.create(Cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: Cluster.kind,
    metadata,
    spec: { infrastructureRef: { apiGroup: INFRA, kind: TuistCluster.kind, name } },
  });
  await api.create(ScalewayAppleSiliconMachineTemplate, {
    apiVersion: `${INFRA}/v1alpha1`,
    kind: ScalewayAppleSiliconMachineTemplate.kind,
    metadata,
    spec: { template: { spec: {} } },
  });
  await api.create(MachineDeployment, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: MachineDeployment.kind,
    metadata,
    spec: {
      clusterName: name,
      replicas,
      selector: { matchLabels: { fleet: name } },
      template: {
        metadata: { labels: { fleet: name } },
        spec: {
          clusterName: name,
          bootstrap: { dataSecretName: 'none' },
          infrastructureRef: { apiGroup: INFRA, kind: ScalewayAppleSiliconMachineTemplate.kind, name },
        },
      },
    },
  });
}

/** Machines whose Node is not ready for `afterSeconds` are replaced. */
export function createHealthCheck(api: Api, name: string, afterSeconds: number): Promise<MachineHealthCheck> {
  return api.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: MachineHealthCheck.kind,
    metadata: { name, namespace: NS },
    spec: {
      clusterName: name,
      selector: { matchLabels: { fleet: name } },
      checks: {
        nodeStartupTimeoutSeconds: 3600,
        unhealthyNodeConditions: [
          { type: 'Ready', status: 'Unknown', timeoutSeconds: afterSeconds },
          { type: 'Ready', status: 'False', timeoutSeconds: afterSeconds },
        ],
      },
    },
  });
}

export function scale(api: Api, name: string, replicas: number): Promise<MachineDeployment> {
  return api.patch(MachineDeployment, { namespace: NS, name }, { spec: { replicas } });
}

const SPEC: PodSpec = {
  restartPolicy: 'Never',
  tolerations: [{ operator: 'Exists' }],
  containers: [{ name: 'vm', image: 'registry.example/macos:26' }],
};

/** A Pod that runs on any Mac, or on this Node. */
export function createPod(api: Api, name: string, nodeName?: string): Promise<Pod> {
  return api.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NS },
    spec: nodeName === undefined ? SPEC : { ...SPEC, nodeName },
  });
}

/** A Pod as a lost agent left it: bound, under the finalizer; stamped only if an agent of ours ran it. */
export function createHeldPod(api: Api, name: string, held: { nodeName: string; hostId?: string }): Promise<Pod> {
  return api.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: NS,
      finalizers: [VM_CLEANUP],
      annotations: held.hostId === undefined ? {} : { [HOST_ID]: held.hostId },
    },
    spec: { ...SPEC, nodeName: held.nodeName },
  });
}

export function createLinuxNode(api: Api, name: string): Promise<Node> {
  return api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
}

export const deleteMac = (api: Api, name: string): Promise<void> => api.delete(MacMachine, { namespace: NS, name });
export const deleteNode = (api: Api, name: string): Promise<void> => api.delete(Node, { name });
