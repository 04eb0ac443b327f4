// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { changes } from './changes.ts';
import { containers } from './containers.ts';
import { network } from './network.ts';
import { resources } from './resources.ts';
import { scheduling } from './scheduling.ts';
import { security } from './security.ts';
import { statuses } from './status.ts';
import { topology } from './topology.ts';

export const cases: readonly Case[] = [
  ...security,
  ...network,
  ...scheduling,
  ...containers,
  ...resources,
  ...changes,
  ...statuses,
  ...topology,
];
