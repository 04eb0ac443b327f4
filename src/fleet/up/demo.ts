// What a new fleet begins with: a cluster, machines for its Macs, and one Pod that runs a macOS VM.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { MachineDeployment } from '../../kinds/generated/machine-deployment.generated.ts';
import { ScalewayAppleSiliconMachineTemplate } from '../../kinds/generated/scaleway-apple-silicon-machine-template.generated.ts';
import { TuistCluster } from '../../kinds/generated/tuist-cluster.generated.ts';
import { CLUSTER_NAME_LABEL, MACOS_TAINT } from '../../kinds/wire.ts';
import type { Api } from '../../kube/api.ts';
import { Pod } from '../../kube/core/pod.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { apiVersionOf, type Kind } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export const DEMO_NAMESPACE = 'default';
export const DEMO_POD = 'demo';
const CLUSTER = 'fleet';
const IMAGE = 'registry.example/macos:demo';
/** For a real Mac: public, and about 25 GB. */
export const REAL_IMAGE = 'ghcr.io/cirruslabs/macos-tahoe-base:latest';

/** What the simulated registry serves: the demo's image, small and quick, and any other as images usually are. */
export const DEMO_REGISTRY = {
  images: { [IMAGE]: { sizeGb: 1, pullSeconds: 2, guest: { bootSeconds: 1 } }, '*': {} },
};

/** The Pod alone, sized for a simulated Mac; on a real one its VM is as large as the image says. */
export function demoPod(realImage?: string): Pod {
  const container = realImage === undefined ? { image: IMAGE, resources: SIZE } : { image: realImage };
  return {
    ...headOf(Pod, DEMO_POD),
    spec: {
      restartPolicy: 'Always',
      tolerations: [{ key: MACOS_TAINT.key, operator: 'Exists', effect: MACOS_TAINT.effect }],
      containers: [{ name: 'macos', ...container }],
    },
  };
}

const SIZE = { requests: { cpu: '4', memory: '8Gi' } };

/** As many machines as there are Macs. */
export function demoMachines(macs: number): readonly (readonly [Kind, KubeObject])[] {
  const ref = (kind: Kind, name: string) => ({ apiGroup: kind.group, kind: kind.kind, name });
  const template = {
    ...headOf(ScalewayAppleSiliconMachineTemplate, 'mac'),
    spec: { template: { spec: { type: 'M2-L', os: 'Tahoe', fleetName: CLUSTER } } },
  };
  const labels = { [CLUSTER_NAME_LABEL]: CLUSTER };
  const machine = {
    clusterName: CLUSTER,
    bootstrap: { dataSecretName: 'not-used' },
    infrastructureRef: ref(ScalewayAppleSiliconMachineTemplate, 'mac'),
  };
  const deployment = {
    ...headOf(MachineDeployment, 'macs'),
    spec: {
      clusterName: CLUSTER,
      replicas: macs,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: machine },
    },
  };
  const cluster = { ...headOf(Cluster, CLUSTER), spec: { infrastructureRef: ref(TuistCluster, CLUSTER) } };
  return [
    [TuistCluster, headOf(TuistCluster, CLUSTER)],
    [Cluster, cluster],
    [ScalewayAppleSiliconMachineTemplate, template],
    [MachineDeployment, deployment],
  ];
}

/** Creates what is not there. */
export async function createDemo(api: Api, objects: readonly (readonly [Kind, KubeObject])[]): Promise<void> {
  for (const [kind, object] of objects) {
    try {
      await api.create(kind, object);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

function headOf(kind: Kind, name: string): KubeObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { namespace: DEMO_NAMESPACE, name } };
}
