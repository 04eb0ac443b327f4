// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';

export const cases: readonly Case[] = [];
