// What a conformance case is: a sentence, and the requests whose whole answers must be those of the real server.

import type { Trial } from './trial.ts';

export interface Case {
  /** What the server does, as a sentence. It names the case's namespace too, so it is unique in its group. */
  readonly says: string;
  /** Every answer that the trial gets is compared; nothing needs to be asserted here. */
  readonly steps: (t: Trial) => Promise<void>;
  /** Number of the difference in docs/api-differences.md: what the embedded API answers instead is recorded too. */
  readonly difference?: number;
  /** Runs while no other case does: it changes what all requests meet (quota on the cluster, lists of everything). */
  readonly alone?: true;
}

export const GROUPS = [
  'verbs',
  'reading',
  'formats',
  'deleting',
  'patching',
  'crds',
  'builtin',
  'pods',
  'kinds',
  'access',
  'webhooks',
] as const;

export type Group = (typeof GROUPS)[number];
