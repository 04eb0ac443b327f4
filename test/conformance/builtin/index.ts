// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { logs } from './logs.ts';
import { streams } from './streams.ts';

export const cases: readonly Case[] = [...logs, ...streams];
