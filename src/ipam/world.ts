// What the address manager's controllers may touch besides the API, and the operator's settings.

import type { KubeWorld } from '../kube/controller.ts';

export interface IpamWorld extends KubeWorld {
  readonly ipam: IpamSettings;
}

export interface IpamSettings {
  /** How long an address that was let go is kept back before another claim gets it (metal-7.22); 0: not at all. */
  readonly coolDownMs: number;
}

export const USUAL_IPAM_SETTINGS: IpamSettings = { coolDownMs: 0 };
