// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_scalewayapplesiliconmachines.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface ScalewayAppleSiliconMachineSpec {
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
}

export interface ScalewayAppleSiliconMachineStatus {
  /** The host is taken and set up. The Node may not be Ready yet. */
  readonly ready?: boolean;
  readonly serverID?: string;
  readonly addresses?: readonly {
    readonly type: string;
    readonly address: string;
  }[];
  /** What holds of this machine and what it waits for. */
  readonly conditions?: readonly Condition[];
  readonly phase?: string;
  readonly failureReason?: string;
  readonly failureMessage?: string;
  /** The agent that was last installed. */
  readonly tartKubeletBinarySHA?: string;
  /** The host configuration that was last applied. */
  readonly hostConfigHash?: string;
  /** The host configuration that was given up on. */
  readonly failedHostConfigHash?: string;
  readonly tartKubeletUpdateAttempts?: number;
  readonly lastUpdateFailureTime?: string;
  readonly bootstrapAttempts?: number;
  readonly bootstrapRebootIssued?: boolean;
  /** The recorded release of a host that this machine had; also kept as an annotation. */
  readonly hostRelease?: {
    /** The providerID of the released host. */
    readonly hostId: string;
    readonly time: string;
    /** What the cloud answered about it. */
    readonly seen: string;
  };
  /** The first set-up of the host found no VM of earlier use, or removed them; also kept as an annotation. */
  readonly cleanStart?: {
    /** The providerID of the host. */
    readonly hostId: string;
    readonly time: string;
  };
}

/** One rented Mac, taken from a pool and given back to it. */
export interface ScalewayAppleSiliconMachine extends KubeObject {
  readonly spec?: ScalewayAppleSiliconMachineSpec;
  readonly status?: ScalewayAppleSiliconMachineStatus;
}

export const ScalewayAppleSiliconMachine = kindOf<ScalewayAppleSiliconMachine>(
  'infrastructure.cluster.x-k8s.io/v1alpha1',
  'ScalewayAppleSiliconMachine',
  'scalewayapplesiliconmachines',
  'Namespaced',
);
