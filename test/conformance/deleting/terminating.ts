// A Namespace that is going, and what it says of itself.

import type { Told, Trial } from '../frame/trial.ts';

export const says = (type: string, status: string) => (namespace: Told['json'] | undefined) =>
  namespace?.status.conditions?.some(
    (condition: { type: string; status: string }) => condition.type === type && condition.status === status,
  ) ?? false;

export const pathOf = (t: Trial): string => `/api/v1/namespaces/${t.ns}`;

type Settled = (namespace: Told['json'] | undefined) => boolean;

/** Waits until the Namespace says so of itself, unrecorded. */
export async function settledAs(t: Trial, settled: Settled): Promise<Told> {
  for (let tries = 0; tries < 600; tries++) {
    const told = await t.quietly({ method: 'GET', path: pathOf(t) });
    if (settled(told.json)) return told;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('the Namespace did not say it');
}

/** The same, and records its status alone. */
export const noteConditions = async (t: Trial, settled: Settled): Promise<void> =>
  t.note('conditions', (await settledAs(t, settled)).json.status);
