// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { accounts } from './accounts.ts';
import { admission } from './admission.ts';
import { disruption } from './disruption.ts';
import { logs } from './logs.ts';
import { nodes } from './nodes.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';
import { streams } from './streams.ts';
import { workloads } from './workloads.ts';

export const cases: readonly Case[] = [
  ...logs,
  ...streams,
  ...pods,
  ...disruption,
  ...services,
  ...accounts,
  ...nodes,
  ...workloads,
  ...admission,
];
