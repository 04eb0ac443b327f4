// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { creating } from './create.ts';

export const cases: readonly Case[] = [...creating];
