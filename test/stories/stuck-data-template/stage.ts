// What the scenarios of this story share: parked machines whose claims a client makes, and how long until all is gone.

import assert from 'node:assert/strict';
import { minutes } from '../../../src/base/clock.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import type { Kind } from '../../../src/kube/kind.ts';
import type { Must, Stage } from '../../faults/metal/stage.ts';
import {
  createClaim,
  createCluster,
  createParkedMachine,
  createPool,
  createTemplate,
  remove,
} from '../../world/metal/acts.ts';
import { type MetalFleet, type MetalFleetOptions, metalFleet } from '../../world/metal/fleet.ts';
import { CLUSTER, HARDWARE } from '../../world/metal/names.ts';
import { assertEmpty } from '../telling/scenario.ts';

export const TEMPLATE = 'm';
export const POOL = 'pool';

/** Machines are paused, so that only claims, data and addresses are at work: no hardware, no Cluster API. */
const QUIET: MetalFleetOptions = { without: [CLUSTER, HARDWARE] };

export const claimName = (number: number): string => `m-${String(number).padStart(5, '0')}`;

/** What a deletion has to take away; machines, Cluster and pool stay unless they are deleted too. */
const CHAIN = /^(Metal3DataClaim|Metal3Data|Metal3DataTemplate|IPClaim|IPAddress|Secret) /;

/** So many claims of one Template, made by a client and never given the machine's finalizer; all Datas are ready. */
export async function rendered(claims: number, options: MetalFleetOptions = {}): Promise<MetalFleet> {
  const fleet = await metalFleet({ ...QUIET, ...options });
  await renderedOn(fleet, claims, async (what, until) => void (await must(fleet, what, until)));
  return fleet;
}

/** The same wherever it plays. */
export async function renderedOn({ api, view }: Stage, claims: number, must: Must): Promise<void> {
  await createPool(api, POOL);
  await createTemplate(api, TEMPLATE, POOL);
  await createCluster(api, 'work');
  for (let number = 0; number < claims; number++) {
    await createParkedMachine(api, claimName(number), { cluster: 'work', template: TEMPLATE });
    await createClaim(api, claimName(number), TEMPLATE);
  }
  await must(`${claims} Datas are ready`, () => {
    const ready = view.data().filter(({ status }) => status?.ready === true);
    return ready.length === claims;
  });
}

/** The names of the Datas of a Template, in the order of their indexes. */
export const dataNames = ({ view }: Stage): readonly string[] =>
  [...view.data()]
    .sort((one, other) => (one.spec?.index ?? 0) - (other.spec?.index ?? 0))
    .map(({ metadata }) => metadata.name);

/** Deletes as one client does at once: nobody waits for anybody. */
export async function removeAll(
  { api }: Stage,
  ...named: readonly (readonly [kind: Kind, names: readonly string[]])[]
): Promise<void> {
  await Promise.all(named.flatMap(([kind, names]) => names.map(name => remove(api, kind, name))));
}

/** What is left of the chain, and of whatever else was deleted. */
export function left(fleet: Stage, kept: readonly Kind[] = []): readonly string[] {
  const names = kept.map(({ kind }) => `${kind} `);
  return fleet.left().filter(text => CHAIN.test(text) && !names.some(name => text.startsWith(name)));
}

export const keepingTemplate = [Metal3DataTemplate];

const isPoolGoing = ({ view }: Stage): boolean => view.one(IPPool, POOL)?.metadata.deletionTimestamp !== undefined;

/** Nothing of the chain is left, nor a pool that was deleted with it. */
export const isEmptyAfter = (stage: Stage, { keeps }: { readonly keeps?: readonly Kind[] }): boolean =>
  left(stage, keeps).length === 0 && !isPoolGoing(stage);

/** Lets things happen until `until` holds; answers the milliseconds it took. */
export async function must(
  fleet: MetalFleet,
  what: string,
  until: () => boolean,
  withinMs: number = minutes(60),
): Promise<number> {
  const startMs = fleet.clock.monotonic();
  const came = await fleet.run(until, withinMs);
  assert.ok(came, `within ${withinMs / 1000} s: ${what}; left: ${fleet.left().join(', ')}`);
  return fleet.clock.monotonic() - startMs;
}

/** Runs a scenario on a fleet and ends the fleet whatever happens. */
export async function on(fleet: MetalFleet, play: (fleet: MetalFleet) => Promise<string>): Promise<string> {
  try {
    const told = await play(fleet);
    // No role refuses these, but a namespace that ends.
    const refused = fleet.refused.filter(request => !request.endsWith('/events'));
    assertEmpty('refused requests', refused);
    assertEmpty('broken oracles', fleet.violations);
    return told;
  } finally {
    await fleet.close();
  }
}
