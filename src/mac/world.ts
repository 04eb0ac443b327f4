// What the Mac provider's controllers may touch besides the API, and the operator's settings.

import { minutes, seconds } from '../base/clock.ts';
import type { Keys } from '../base/keys.ts';
import type { AbsenceJournal } from '../deletion/journal.ts';
import type { KubeWorld } from '../kube/controller.ts';
import type { Artifacts } from './artifacts.ts';
import type { MacCloud } from './cloud.ts';
import type { HostShell } from './host-shell.ts';
import type { AttemptTimes } from './machine/attempts.ts';
import { type SetUpTiming, USUAL_TIMING } from './machine/bootstrap/steps.ts';
import type { OneAtATime } from './machine/one-at-a-time.ts';
import type { HostWitness } from './pods/witness.ts';

export interface MacWorld extends KubeWorld {
  readonly cloud: MacCloud;
  readonly shell: HostShell;
  readonly keys: Keys;
  readonly artifacts: Artifacts;
  readonly witness: HostWitness;
  readonly journal: AbsenceJournal;
  readonly settings: MacSettings;
  /** Adoptions of this process. Only speed rests on it: another process may adopt at the same time (safe-10). */
  readonly adoptions: OneAtATime;
  readonly attempts: AttemptTimes;
}

/** The operator's settings; upstream's flag names and defaults where it has them (mac-6). */
export interface MacSettings {
  /** Free hosts' names start with it; empty: only machines that name a prefix themselves adopt. */
  readonly poolPrefix: string;
  readonly hostCpu: number;
  readonly hostMemoryMb: number;
  readonly maxPods: number;
  readonly guestCapacity: number;
  /** Failed set-ups before the one reboot, and before the host goes back to the pool; 0 disables. */
  readonly rebootAfter: number;
  readonly giveBackAfter: number;
  /** Failed pushes before a machine counts as failed; 0: never. */
  readonly maxPushes: number;
  /** After this long a failed machine is tried again; 0: never. */
  readonly retryFailedAfterMs: number;
  /** A host that was just adopted or rebooted may be silent for this long without a failed attempt. */
  readonly dialWindowMs: number;
  /** Between a claim and the first touch of the host: another claimant's name would show by then (mac-F13). */
  readonly claimSettlesMs: number;
  /** How often an empty pool is looked at again (mac-F22). */
  readonly poolRecheckMs: number;
  /** How an agent reaches this API. */
  readonly apiServer: { readonly url: string; readonly caPem: string };
  readonly identity: 'certificate' | 'service account';
  /** ClusterRole of agents with a service account. */
  readonly accountRole: string;
  readonly certificateSeconds: number;
  /** Name of the Secret that holds a fleet's SSH key. */
  readonly fleetKeySecret: (fleet: string) => string;
  readonly timing: SetUpTiming;
}

export const USUAL_SETTINGS: Omit<MacSettings, 'apiServer'> = {
  poolPrefix: '',
  hostCpu: 8,
  hostMemoryMb: 16_384,
  maxPods: 2,
  guestCapacity: 1,
  rebootAfter: 3,
  giveBackAfter: 8,
  maxPushes: 5,
  retryFailedAfterMs: minutes(30),
  dialWindowMs: minutes(5),
  claimSettlesMs: seconds(5),
  poolRecheckMs: seconds(60),
  identity: 'certificate',
  accountRole: 'tart-kubelet',
  certificateSeconds: 24 * 3600,
  fleetKeySecret: fleet => `${fleet}-ssh-key`,
  timing: USUAL_TIMING,
};
