// What the Metal3 controllers may touch besides the API, and the operator's settings.

import type { KubeWorld } from '../kube/controller.ts';
import type { WorkloadClusters } from './workload/port.ts';

export interface MetalWorld extends KubeWorld {
  readonly settings: MetalSettings;
  readonly workload: WorkloadClusters;
}

/** The operator's settings, with upstream's flags and defaults. */
export interface MetalSettings {
  /** `--enable-bmh-name-based-preallocation`: IPClaims are named `<host>-<pool>`. */
  readonly hostNamedClaims: boolean;
  /** `CAPM3_FAST_TRACK`: a released host stays on while its disks are to be cleaned. */
  readonly fastTrack: boolean;
}

export const USUAL_METAL_SETTINGS: MetalSettings = { hostNamedClaims: false, fastTrack: false };
