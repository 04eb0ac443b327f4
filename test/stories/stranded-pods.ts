// `npm run story stranded-pods`: the report told scenario by scenario, in virtual time on the embedded API.

import { scenarios } from './stranded-pods/scenarios.ts';
import { tell } from './telling/tell.ts';

await tell(
  'Pods of a Mac that is gone never stay in Terminating; Pods of a Mac that runs are never let go.',
  scenarios,
);
