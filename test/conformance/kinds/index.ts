// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { podVolumes } from './volumes.ts';

export const cases: readonly Case[] = [...podVolumes];
