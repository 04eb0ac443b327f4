// Which leases of upstream are alive: as in Kubernetes' own elections, by whether the record changes while it is watched.

import { type Clock, millisOf, minutes, seconds } from '../../base/clock.ts';
import type { Api } from '../../kube/api.ts';
import { Lease } from '../../kube/core/node.ts';
import { holderOf } from '../../kube/lease.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import { HALVES, type HalfName } from './halves.ts';

/** A lease that somebody other than Pippin holds. */
export interface HeldLease {
  /** `Lease capm3-system/controller-leader-election-capm3`. */
  readonly name: string;
  readonly holder: string;
  /** `watched`: not yet for as long as it is good for. */
  readonly standing: 'renewed' | 'watched' | 'silent';
  /** Whoever works renews it within this time. */
  readonly goodForMs: number;
}

export const isRenewed = ({ standing }: HeldLease): boolean => standing === 'renewed';

/** As it was when it was first seen in this version. */
interface Sight {
  readonly version: string | undefined;
  /** Monotonic. */
  readonly sinceMs: number;
  /** `first look`: whether it changed of late is not known. */
  readonly by: 'first look' | 'change';
}

type Asking = { readonly api: Api; readonly clock: Clock };

/** What one program has seen of them, by its own monotonic clock: the clock of a holder may be minutes behind (safe-21). */
export class UpstreamLeases {
  readonly #asking: Asking;
  readonly #halves: readonly HalfName[];
  #seen: ReadonlyMap<string, Sight> | undefined;

  constructor(asking: Asking, halves: readonly HalfName[]) {
    this.#asking = asking;
    this.#halves = halves;
  }

  /** One request for each half. */
  async look(): Promise<readonly HeldLease[]> {
    const { api, clock } = this.#asking;
    const askedMs = clock.monotonic();
    const lists = await Promise.all(
      this.#halves.map(half => api.list(Lease, { fields: `metadata.name=${HALVES[half].lease}` })),
    );
    const answeredMs = clock.monotonic();
    const found = lists.flatMap(({ items }) => items.filter(isTheirs));
    const seen = new Map(found.map(lease => [nameOf(lease), sightOf(lease, this.#seen, answeredMs)]));
    this.#seen = seen;
    return found.map(lease => ({
      name: nameOf(lease),
      holder: holderOf(lease) ?? '',
      standing: isRecent(lease, clock) ? 'renewed' : standingAt(askedMs, seen.get(nameOf(lease)), goodForMs(lease)),
      goodForMs: goodForMs(lease),
    }));
  }
}

const nameOf = (lease: Lease): string => `Lease ${keyText(keyOf(lease))}`;

/** One that nobody held, or that was not there, when we looked before has changed too. */
function sightOf(lease: Lease, before: ReadonlyMap<string, Sight> | undefined, nowMs: number): Sight {
  const last = before?.get(nameOf(lease));
  const version = lease.metadata.resourceVersion;
  if (last !== undefined && last.version === version) return last;
  return { version, sinceMs: nowMs, by: before === undefined ? 'first look' : 'change' };
}

function standingAt(nowMs: number, sight: Sight | undefined, patienceMs: number): HeldLease['standing'] {
  if (sight !== undefined && nowMs - sight.sinceMs >= patienceMs) return 'silent';
  return sight?.by === 'change' ? 'renewed' : 'watched';
}

/** Upstream's leases are good for 15 s and renewed every 2; one that claims to be good for hours holds up nobody for so long. */
const [SHORTEST_MS, LONGEST_MS] = [seconds(15), minutes(1)];

const goodForMs = ({ spec }: Lease): number =>
  Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds(spec?.leaseDurationSeconds ?? 0)));

/** By two clocks that may differ: enough for a yes, and never for a no. */
const isRecent = ({ spec }: Lease, clock: Clock): boolean => clock.now() - millisOf(spec?.renewTime) < LONGEST_MS;

/** Our election writes under a name of its own; the holder's text could be anybody's. */
const OUR_ELECTION = 'pippin-leader-election';

function isTheirs(lease: Lease): boolean {
  if (holderOf(lease) === undefined) return false;
  const entries = (lease.metadata.managedFields ?? []) as readonly {
    readonly manager?: string;
    readonly time?: string;
  }[];
  const [last] = [...entries].sort((one, other) => millisOf(other.time) - millisOf(one.time));
  return last?.manager !== OUR_ELECTION;
}

/** What only watching on can tell, in words; undefined: nothing, also when one is known to be renewed, which is enough. */
export function openQuestion(held: readonly HeldLease[]): string | undefined {
  const watched = held.filter(({ standing }) => standing === 'watched');
  if (watched.length === 0 || held.some(isRenewed)) return undefined;
  const withinMs = Math.max(...watched.map(({ goodForMs }) => goodForMs));
  const names = watched.map(({ name, holder }) => `${name}, held by ${holder},`).join(' or ');
  return `whether anybody renews ${names} shows within ${withinMs / 1000} s`;
}

const LOOK_EVERY_MS = seconds(1);

/** For a program that comes and goes: watches them until each is known to be silent, or one is renewed. */
export async function judgedLeases(
  { say, ...asking }: Asking & { readonly say: (line: string) => void },
  halves: readonly HalfName[],
): Promise<readonly HeldLease[]> {
  const leases = new UpstreamLeases(asking, halves);
  let held = await leases.look();
  const question = openQuestion(held);
  if (question !== undefined) say(`Waiting: ${question}`);
  while (openQuestion(held) !== undefined) {
    await asking.clock.sleep(LOOK_EVERY_MS);
    held = await leases.look();
  }
  return held;
}
