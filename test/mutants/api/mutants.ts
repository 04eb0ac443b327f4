// All mutants of the API server.

import { access } from './access.ts';
import { deciding } from './deciding.ts';
import { forming } from './forming.ts';
import type { ApiMutant } from './mutant.ts';
import { reading } from './reading.ts';
import { writing } from './writing.ts';

export const apiMutants: readonly ApiMutant[] = [...writing, ...reading, ...access, ...deciding, ...forming];
