// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { cluster } from './cluster.ts';
import { defaultClasses } from './default-classes.ts';
import { deviceKinds } from './devices.ts';
import { flows } from './flows.ts';
import { limits } from './limits.ts';
import { makers } from './makers.ts';
import { nodes } from './nodes.ts';
import { policies } from './policies.ts';
import { quotas } from './quotas.ts';
import { podVolumes } from './volumes.ts';
import { warnings } from './warnings.ts';
import { workloads } from './workloads.ts';

export const cases: readonly Case[] = [
  ...podVolumes,
  ...workloads,
  ...defaultClasses,
  ...policies,
  ...cluster,
  ...limits,
  ...quotas,
  ...nodes,
  ...flows,
  ...warnings,
  ...makers,
  ...deviceKinds,
];
