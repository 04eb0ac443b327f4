// Metal3DataClaim and Metal3Data in both versions.

import { neededReference, reference } from './references.ts';
import { at, forgotten, inOrder, type Step } from './steps.ts';

export const dataClaim: Step = inOrder(
  at('spec', neededReference('template')),
  at('status', reference('renderedData')),
);

/** v1beta1 leaves index 0 out; v1beta2 tells "no index" from it. */
const index: Step = { up: fields => ({ index: 0, ...fields }), down: fields => fields };

export const data: Step = at(
  'spec',
  inOrder(neededReference('claim'), neededReference('template'), index, forgotten('templateReference')),
);
