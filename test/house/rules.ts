// All house rules, in the order in which a reader would want to hear of them.

import packageJson from '../../package.json' with { type: 'json' };
import { errorCodes } from './error-codes.ts';
import type { Rule } from './rule.ts';
import { bands, shippedPackages } from './rules/bands.ts';
import { citations, contractIds } from './rules/citations.ts';
import { escapes } from './rules/escapes.ts';
import { functions, lengths, names, opening } from './rules/files.ts';
import { leaks } from './rules/leaks.ts';
import { seams } from './rules/seams.ts';
import { booleans, reasons } from './rules/words.ts';

const installed = new Set(Object.keys(packageJson.dependencies));

export const rules: readonly Rule[] = [
  bands,
  shippedPackages(installed),
  seams,
  escapes,
  lengths,
  functions,
  opening,
  names,
  booleans,
  reasons,
  errorCodes,
  citations,
  contractIds,
  leaks,
];
