// How many machines each set of a deployment shall have next: one step at a time, never below what must be available.

import { absoluteOf, type Strategy } from '../spelling.ts';

/** A set as the rollout sees it. */
export interface SetSize {
  readonly name: string;
  /** What it was told to have. */
  readonly wanted: number;
  readonly available: number;
  /** Machines of it that are not being deleted: with OnDelete an old set never has more than these again. */
  readonly kept: number;
}

export interface Plan {
  readonly current: number;
  /** By name, only those that change. */
  readonly old: ReadonlyMap<string, number>;
}

export interface Rollout {
  readonly replicas: number;
  readonly strategy: Strategy;
  readonly current: SetSize;
  /** Oldest first. */
  readonly old: readonly SetSize[];
}

export function planOf(rollout: Rollout): Plan {
  return rollout.strategy.type === 'OnDelete' ? onDelete(rollout) : rolling(rollout);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** New ones up to the surge, then old ones down as far as enough stay available. */
function rolling({ replicas, strategy, current, old }: Rollout): Plan {
  const { surge, unavailable } = limitsOf(strategy, replicas);
  const total = current.wanted + sum(old.map(set => set.wanted));
  const room = Math.max(0, replicas + surge - total);
  const next = current.wanted > replicas ? replicas : Math.min(replicas, current.wanted + room);
  if (next !== current.wanted) return { current: next, old: new Map() };

  const mustStay = replicas - unavailable;
  const notYet = Math.max(0, current.wanted - current.available);
  let mayGo = Math.max(0, total - mustStay - notYet);
  const sizes = new Map(old.map(set => [set.name, set.wanted]));
  // Those that serve nobody go first, then the others as far as enough stay available.
  for (const set of old) mayGo -= take(sizes, set, Math.min(mayGo, Math.max(0, set.wanted - set.available)));
  let spare = Math.max(0, current.available + sum(old.map(set => set.available)) - mustStay);
  for (const set of old) {
    const taken = take(sizes, set, Math.min(spare, mayGo, sizes.get(set.name) ?? 0));
    spare -= taken;
    mayGo -= taken;
  }
  return { current: next, old: changed(sizes, old) };
}

/** Only what somebody deletes is replaced; a smaller deployment takes from the old sets first. */
function onDelete({ replicas, current, old }: Rollout): Plan {
  const sizes = new Map(old.map(set => [set.name, Math.min(set.wanted, set.kept)]));
  let surplus = current.wanted + sum([...sizes.values()]) - replicas;
  for (const set of old) surplus -= take(sizes, set, Math.min(Math.max(0, surplus), sizes.get(set.name) ?? 0));
  const next = Math.max(0, current.wanted - surplus);
  return { current: next, old: changed(sizes, old) };
}

function take(sizes: Map<string, number>, set: SetSize, count: number): number {
  sizes.set(set.name, (sizes.get(set.name) ?? 0) - count);
  return count;
}

const changed = (sizes: ReadonlyMap<string, number>, old: readonly SetSize[]): ReadonlyMap<string, number> =>
  new Map([...sizes].filter(([name, size]) => old.some(set => set.name === name && set.wanted !== size)));

/** At least one of the two moves, or nothing ever would. */
function limitsOf(strategy: Strategy, replicas: number): { readonly surge: number; readonly unavailable: number } {
  const surge = absoluteOf(strategy.maxSurge, replicas, 'up');
  const unavailable = Math.min(replicas, absoluteOf(strategy.maxUnavailable, replicas, 'down'));
  return surge + unavailable === 0 ? { surge: 0, unavailable: 1 } : { surge, unavailable };
}
