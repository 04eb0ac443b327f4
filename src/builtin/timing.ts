// How long the built-in controllers wait: Kubernetes' own times, which tests and stories shorten.

import { minutes, seconds } from '../base/clock.ts';

export interface Timing {
  /** A wait is looked at again so often although nothing changed. */
  readonly recheckMs: number;
  /** How often the garbage collector goes through everything, whatever the watches said. */
  readonly garbageResyncMs: number;
  readonly podGcEveryMs: number;
  readonly podGcQuarantineMs: number;
  readonly terminatedPodThreshold: number;
  /** A Node whose Lease was not renewed for so long is Unknown. */
  readonly missedLeasesMs: number;
  readonly nodeStartupMs: number;
  /** Nodes and machines are not judged for so long after the start (safe-22). */
  readonly quietStartMs: number;
  /** The longest life of a Node's certificate (safe-18). */
  readonly nodeCertificateMs: number;
  /** How long a request for a certificate stays once it is dealt with. */
  readonly requestKeptMs: number;
}

const DEFAULTS: Timing = {
  recheckMs: seconds(30),
  garbageResyncMs: minutes(1),
  podGcEveryMs: seconds(20),
  podGcQuarantineMs: seconds(40),
  terminatedPodThreshold: 12_500,
  missedLeasesMs: seconds(50),
  nodeStartupMs: seconds(60),
  quietStartMs: seconds(60),
  nodeCertificateMs: minutes(24 * 60),
  requestKeptMs: minutes(60),
};

export const timingOf = (given: Partial<Timing> = {}): Timing => ({ ...DEFAULTS, ...given });
