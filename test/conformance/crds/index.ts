// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { costs } from './costs.ts';
import { definitions } from './definitions.ts';
import { ends } from './ends.ts';
import { formats } from './formats.ts';
import { functions } from './functions.ts';
import { innerMetadata } from './inner-metadata.ts';
import { objects } from './objects.ts';
import { oddRules } from './odd-rules.ts';
import { outgrowns } from './outgrown.ts';
import { refusedRules } from './refused-rules.ts';
import { celRules } from './rules.ts';
import { schemas } from './schemas.ts';
import { surfaces } from './surfaces.ts';

export const cases: readonly Case[] = [
  ...definitions,
  ...surfaces,
  ...ends,
  ...schemas,
  ...objects,
  ...innerMetadata,
  ...formats,
  ...outgrowns,
  ...celRules,
  ...refusedRules,
  ...functions,
  ...oddRules,
  ...costs,
];
