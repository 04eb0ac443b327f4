// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { cluster } from './cluster.ts';
import { defaultClasses } from './default-classes.ts';
import { policies } from './policies.ts';
import { podVolumes } from './volumes.ts';
import { workloads } from './workloads.ts';

export const cases: readonly Case[] = [...podVolumes, ...workloads, ...defaultClasses, ...policies, ...cluster];
