// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { applies } from './apply.ts';
import { appliedBodies } from './apply-bodies.ts';
import { customPatches } from './custom.ts';
import { jsonPatches } from './json.ts';
import { oddJsonPatches } from './odd-json.ts';
import { appliedScales } from './scales.ts';
import { strategicPatches } from './strategic.ts';

export const cases: readonly Case[] = [
  ...jsonPatches,
  ...oddJsonPatches,
  ...strategicPatches,
  ...applies,
  ...appliedBodies,
  ...customPatches,
  ...appliedScales,
];
