// The admission plugins of a whole cluster, in the order in which they run.

import type { Random } from '../../../base/random.ts';
import type { Admission, Stored } from '../../parts.ts';
import { defaultAdmission } from '../admission.ts';
import { claimResizing } from './claim-resize.ts';
import { defaultClasses } from './default-classes.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceSecurity } from './namespace-security.ts';
import { podSecurity } from './pod-security.ts';
import { priorities } from './priority.ts';
import { runtimeClasses } from './runtime-class.ts';
import { serviceAccounts } from './service-account.ts';

export interface ClusterWorld {
  readonly stored: Stored;
  readonly random: Random;
}

/** Stands where the default admission alone would: for APIs that have the controllers and accounts of a cluster. */
export const clusterAdmission = (world: ClusterWorld): readonly Admission[] => [
  // Before a number is filled in: a client may not say its own.
  priorities(world),
  defaultAdmission,
  limitRanger(world),
  serviceAccounts(world),
  podSecurity(world),
  namespaceSecurity(world),
  runtimeClasses(world),
  defaultClasses(world),
  claimResizing(world),
];
