// What CAPM3 and its address manager (v1.13.2) were measured to take, as published: another day, a quiet machine alike.

import type { PhaseName } from './run.ts';

/** Seconds; at their default client limits (20/s, burst 30, per kind), and with these out of the way (1000/2000). */
interface Published {
  readonly limited: number;
  readonly raised?: number;
}

const PUBLISHED: Readonly<Record<PhaseName, ReadonlyMap<number, Published>>> = {
  create: new Map([
    [100, { limited: 44.7 }],
    [300, { limited: 135.2 }],
    [1_000, { limited: 445.1, raised: 63.5 }],
    [2_000, { limited: 886.6, raised: 147.7 }],
  ]),
  delete: new Map([
    [100, { limited: 42.1 }],
    [300, { limited: 65.9 }],
    [1_000, { limited: 170.2, raised: 48.2 }],
    [2_000, { limited: 302.6, raised: 96 }],
  ]),
};

/** Undefined for a number of claims that was not measured. */
export const published = (phase: PhaseName, claims: number): Published | undefined => PUBLISHED[phase].get(claims);
