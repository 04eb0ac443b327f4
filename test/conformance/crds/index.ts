// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { definitions } from './definitions.ts';
import { objects } from './objects.ts';
import { celRules } from './rules.ts';
import { schemas } from './schemas.ts';

export const cases: readonly Case[] = [...definitions, ...schemas, ...objects, ...celRules];
