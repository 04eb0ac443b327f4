// `npm run story stuck-data-template`: the report told scenario by scenario, in virtual time on the embedded API.

import { scenarios } from './stuck-data-template/scenarios.ts';
import { tell } from './telling/tell.ts';

await tell(
  'A Template, its claims, their data and addresses are gone seconds after they are deleted, in any order.',
  scenarios,
);
