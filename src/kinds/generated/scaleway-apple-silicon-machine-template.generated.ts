// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_scalewayapplesiliconmachinetemplates.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface ScalewayAppleSiliconMachineTemplateSpec {
  readonly template: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: {
      /** The host, as scw-applesilicon://<zone>/<server id>. Set by the controller. */
      readonly providerID?: string;
      /** The server type; compared exactly on adoption. */
      readonly type?: string;
      readonly zone?: string;
      /** The release family of macOS; no version. */
      readonly os?: string;
      /** Machines of one fleet share an SSH key. Empty means <namespace>-<name>. */
      readonly fleetName?: string;
      readonly kubeletVersion?: string;
      /** CPUs the Node offers; 0 means the manager's default. */
      readonly hostCPU?: number;
      /** Memory the Node offers; 0 means the manager's default. */
      readonly hostMemoryMB?: number;
      /** VMs at once; sizes VNC ports and kept golden images. */
      readonly guestCapacity?: number;
      /** Pods bound to the Node at once, finished ones included. */
      readonly maxPods?: number;
      /** Absent or negative means the manager's default; 0 means none. */
      readonly runnerCacheVolumeGiB?: number | null;
      /** Names of the free hosts that may be taken start with it. Empty means the manager's default. */
      readonly adoptPoolPrefix?: string;
      /** A GitHub Actions runner on the host itself, for machines that build VM images. */
      readonly ghActionsRunner?: {
        readonly ghOrg?: string;
        readonly ghRunnerLabels?: string;
        readonly ghRunnerVersion: string;
        readonly ghAppSecretName?: string;
      };
    };
  };
}

/** What Cluster API clones a ScalewayAppleSiliconMachine from. */
export interface ScalewayAppleSiliconMachineTemplate extends KubeObject {
  readonly spec?: ScalewayAppleSiliconMachineTemplateSpec;
}

export const ScalewayAppleSiliconMachineTemplate = kindOf<ScalewayAppleSiliconMachineTemplate>(
  'infrastructure.cluster.x-k8s.io/v1alpha1',
  'ScalewayAppleSiliconMachineTemplate',
  'scalewayapplesiliconmachinetemplates',
  'Namespaced',
);
