// What users, their tools and bad luck do to templates, claims, data, pools and addresses, one act at a time.

import type { Random } from '../../../../src/base/random.ts';
import { IPAddress } from '../../../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../../src/kinds/generated/metal3-data-template.generated.ts';
import { ApiError } from '../../../../src/kube/errors.ts';
import { apiVersionOf, type Kind } from '../../../../src/kube/kind.ts';
import { createClaim, createPool, createTemplate } from '../../../world/metal/acts.ts';
import type { MetalFleet } from '../../../world/metal/fleet.ts';
import { IPAM, METAL } from '../../../world/metal/names.ts';
import { CALL_FAULTS } from '../../matrix.ts';
import { at, gone, POOL, torn } from '../stage.ts';

/** Each machine belongs to one template for good, so that its claims fit it. */
export const TEMPLATE_OF = ['left', 'left', 'right'] as const;
const TEMPLATES = ['left', 'right'] as const;
const LEASES = ['by-hand-0', 'by-hand-1'] as const;
/** Fewer than there may be leases: the pool runs empty. */
const RANGE = { pools: [{ start: '192.0.2.10', end: '192.0.2.13', prefix: 24 }] };

type Act = (fleet: MetalFleet, random: Random) => Promise<unknown>;

const DELETED: readonly Kind[] = [Metal3DataClaim, Metal3Data, Metal3DataTemplate, IPClaim, IPAddress, IPPool];

function one<T>(of: readonly T[], random: Random): T | undefined {
  return of[random.below(Math.max(1, of.length))];
}

/** Any object of a kind that there is. */
function nameOf(kind: Kind, { view }: MetalFleet, random: Random): string {
  return one(view.all(kind), random)?.metadata.name ?? 'none';
}

const machineName = (n: number): string => `machine-${n}`;

const claim: Act = ({ api }, random) => {
  const n = random.below(TEMPLATE_OF.length);
  return createClaim(api, machineName(n), TEMPLATE_OF[n] ?? 'left');
};

const template: Act = ({ api }, random) => createTemplate(api, one(TEMPLATES, random) ?? 'left', POOL);

const pool: Act = ({ api }) => createPool(api, POOL, RANGE);

const lease: Act = ({ api }, random) =>
  api.create(IPClaim, {
    apiVersion: apiVersionOf(IPClaim),
    kind: IPClaim.kind,
    metadata: at(one(LEASES, random) ?? 'by-hand-0'),
    spec: { pool: { name: POOL } },
  });

const deleted: Act = (fleet, random) => {
  const kind = one(DELETED, random) ?? Metal3Data;
  return gone(fleet, kind, nameOf(kind, fleet, random));
};

/** Somebody takes every finalizer off. */
const forced: Act = (fleet, random) => {
  const kind = one(DELETED, random) ?? Metal3Data;
  return torn(fleet, kind, nameOf(kind, fleet, random));
};

const process = (random: Random): string => (random.below(2) === 0 ? METAL : IPAM);

const crash: Act = async ({ crash }, random) => crash(process(random));

const restart: Act = async ({ stop, start }, random) => {
  const name = process(random);
  stop(name);
  start(name);
};

/** The next write of a program, once. */
const fault: Act = async ({ line }, random) => {
  const name = process(random);
  const [, what] = one(CALL_FAULTS, random) ?? [];
  let isDue = true;
  line.follow({
    onCall: call => {
      if (!isDue || !call.write || call.process !== name) return undefined;
      isDue = false;
      return what;
    },
  });
};

/** A few things happen, whichever come first; then somebody else acts. */
const fewThings: Act = ({ run }, random) => {
  let left = random.below(40);
  return run(() => left-- <= 0, 1000);
};

const time: Act = ({ pass }, random) => pass(10 ** random.below(5));

/** More often what makes something happen. */
const ACTS: readonly (readonly [string, Act])[] = [
  ['claim', claim],
  ['claim', claim],
  ['claim', claim],
  ['template', template],
  ['template', template],
  ['pool', pool],
  ['lease', lease],
  ['delete', deleted],
  ['delete', deleted],
  ['delete', deleted],
  ['force', forced],
  ['crash', crash],
  ['restart', restart],
  ['fault', fault],
  ['few things', fewThings],
  ['few things', fewThings],
  ['few things', fewThings],
  ['time', time],
  ['time', time],
];

/** Does one thing by chance; what the API refuses (it is there, it is not there) is no harm. Answers what it was. */
export async function somethingHappens(fleet: MetalFleet, random: Random): Promise<string> {
  const [name, act] = one(ACTS, random) ?? ['time', time];
  try {
    await act(fleet, random);
    return name;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${name} (refused)`;
  }
}

/** The user lets go of everything. */
export async function everythingIsDeleted(fleet: MetalFleet): Promise<void> {
  for (const kind of DELETED) {
    for (const { metadata } of fleet.view.all(kind)) await gone(fleet, kind, metadata.name);
  }
}
