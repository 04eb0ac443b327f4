// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { collections } from './collections.ts';
import { dependents } from './dependents.ts';
import { finalizers } from './finalizers.ts';
import { foreground } from './foreground.ts';
import { garbage } from './garbage.ts';
import { grace } from './grace.ts';
import { namespaceConditions } from './namespace-conditions.ts';
import { namespaces } from './namespaces.ts';
import { options } from './options.ts';
import { orphans } from './orphans.ts';

export const cases: readonly Case[] = [
  ...options,
  ...grace,
  ...finalizers,
  ...collections,
  ...garbage,
  ...foreground,
  ...orphans,
  ...dependents,
  ...namespaces,
  ...namespaceConditions,
];
