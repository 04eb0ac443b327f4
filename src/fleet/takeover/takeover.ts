// `pippin metal takeover`: prints what would change, or does it when the digest of exactly that is repeated.

import { httpTransport } from '../../adapters/http/client.ts';
import { defineError } from '../../base/errors.ts';
import { client } from '../../kube/client.ts';
import { type ClusterChoice, clusterAccess } from '../cluster-access.ts';
import { applyTakeover } from './apply.ts';
import { factsOf } from './facts.ts';
import type { HalfName } from './halves.ts';
import { planOf, planText } from './plan.ts';
import { ready } from './ready.ts';
import type { TrialWorld } from './trial.ts';

const upstreamActive = defineError('PIPPIN_E_UPSTREAM_ACTIVE', {
  retry: 'never',
  remedy: 'Scale its Deployments to 0, wait 15 minutes, and run this again',
  says: (what: readonly string[]) =>
    `Upstream still works here, and two managers would undo each other: ${what.join('; ')}`,
});

const planChanged = defineError('PIPPIN_E_TAKEOVER_PLAN_CHANGED', {
  retry: 'never',
  remedy: 'Run `pippin metal takeover` without --apply, read the plan, and repeat its digest',
  says: (given: string) => `The digest ${given} is not that of what would be done now`,
});

export interface TakeoverRequest {
  readonly halves: readonly HalfName[];
  /** The digest of the plan that was read; left out: the plan is printed. */
  readonly apply?: string;
  readonly say: (line: string) => void;
}

/** Throws when upstream is at work, whether or not anything is to be done; planning throws for whatever doing would. */
export async function takeover(world: TrialWorld, { halves, apply, say }: TakeoverRequest): Promise<void> {
  const facts = await factsOf({ ...world, say }, halves);
  if (facts.active.length > 0) throw upstreamActive(facts.active);
  const plan = planOf(facts);
  if (plan.digest === undefined) return say(planText(facts, plan));
  const readyFacts = ready(facts);
  if (apply === undefined) return say(planText(facts, plan));
  if (apply !== plan.digest) throw planChanged(apply);
  await applyTakeover(world, readyFacts, say);
  say('The controllers of `pippin manager` start by themselves now.');
}

export interface TakeoverCommand extends TakeoverRequest, Omit<TrialWorld, 'api'> {
  readonly cluster: Omit<ClusterChoice, 'clock'>;
}

export async function runTakeover({ cluster, clock, random, ...request }: TakeoverCommand): Promise<void> {
  const access = await clusterAccess({ ...cluster, clock });
  const api = client(httpTransport(access), { clock, userAgent: 'pippin-takeover' });
  await takeover({ api, clock, random }, request);
}
