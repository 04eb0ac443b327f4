// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { answers } from './answers.ts';
import { configurations } from './configurations.ts';
import { conversion } from './conversion.ts';
import { conversionObjects } from './conversion-objects.ts';
import { failing } from './failing.ts';
import { matching } from './matching.ts';
import { mutating } from './mutating.ts';
import { mutatingPolicies } from './mutating-policies.ts';
import { oddExpressions } from './odd-expressions.ts';
import { parameters } from './parameters.ts';
import { patches } from './patches.ts';
import { policies } from './policies.ts';
import { policyObjects } from './policy-objects.ts';
import { reviews } from './reviews.ts';

export const cases: readonly Case[] = [
  ...reviews,
  ...mutating,
  ...answers,
  ...patches,
  ...failing,
  ...matching,
  ...configurations,
  ...conversion,
  ...conversionObjects,
  ...policies,
  ...parameters,
  ...policyObjects,
  ...mutatingPolicies,
  ...oddExpressions,
];
