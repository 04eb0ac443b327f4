// Whether a takeover could be done at all: asked before a plan is printed, as nobody is to be given a digest that is refused.

import { defineError } from '../../base/errors.ts';
import type { Facts } from './facts.ts';

const endpointMissing = defineError('PIPPIN_E_TAKEOVER_NO_ENDPOINT', {
  retry: 'never',
  remedy: 'Start `pippin manager --controllers=metal,ipam` first: its controllers wait until the takeover is done',
  says: () => 'No endpoint of ours has run here: Secret pippin-system/pippin-metal-authorities is not there',
});

const definitionGoing = defineError('PIPPIN_E_TAKEOVER_DEFINITION_GOING', {
  retry: 'never',
  remedy: 'Nothing of it can be saved any more; wait until it is gone, then run the takeover again',
  says: (name: string) => `The definition ${name} is being deleted, with all its objects`,
});

export interface ReadyFacts extends Facts {
  readonly bundle: string;
}

/** Throws, and names what is in the way. */
export function ready(facts: Facts): ReadyFacts {
  const { bundle, definitions } = facts;
  if (bundle === undefined) throw endpointMissing();
  const going = definitions.find(({ standing }) => standing === 'going away');
  if (going !== undefined) throw definitionGoing(going.ours.metadata.name);
  return { ...facts, bundle };
}
