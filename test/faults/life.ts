// The scenario of the fault runs: a Mac is adopted and set up, a Pod runs on it, the machine is deleted, nothing is left.

import { minutes } from '../../src/base/clock.ts';
import { createMac, createPod, deleteMac } from '../world/acts.ts';
import { type FleetOptions, type VirtualFleet, virtualFleet } from '../world/fleet.ts';
import { MANAGER } from '../world/names.ts';
import type { Plan } from './fault-line.ts';

export interface Life {
  readonly calls: readonly string[];
  readonly events: readonly string[];
  readonly injected: readonly string[];
  readonly trace: string;
  /** Violated oracles, in words. Empty: all held. */
  readonly violations: readonly string[];
  /** What is left at the end, up to random parts of names. */
  readonly end: string;
}

export interface LifeOptions extends FleetOptions {
  /** From the deletion on, so many more managers believe to lead. */
  readonly otherLeaders?: number;
}

/** Plays the whole life under a plan. The options make the standing runs. */
export async function live(plan: Plan, options: LifeOptions = {}): Promise<Life> {
  const fleet = await virtualFleet({ macs: 2, ...options });
  const violations: string[] = [];
  try {
    fleet.line.follow(plan);
    await play(fleet, violations, options.otherLeaders ?? 0);
    return {
      calls: fleet.line.calls.map(({ process, seam, label }) => `${process} ${seam} ${label}`),
      events: fleet.line.events,
      injected: fleet.line.injected,
      trace: fleet.schedule.trace.join('\n'),
      violations: [...violations, ...fleet.violations, ...fleet.refused.map(what => `a role refuses ${what}`)],
      end: endOf(fleet),
    };
  } finally {
    await fleet.close();
  }
}

const WITHIN_MS = minutes(6 * 60);

async function play(fleet: VirtualFleet, violations: string[], otherLeaders: number): Promise<void> {
  await createMac(fleet.api, 'mac-0');
  await createPod(fleet.api, 'job');
  if (!(await fleet.run(() => fleet.view.runs('job'), WITHIN_MS))) {
    violations.push(`the Pod does not run: ${stateOf(fleet)}`);
    return;
  }
  for (let n = 1; n <= otherLeaders; n++) fleet.startManager(`${MANAGER}-${n}`);
  await deleteMac(fleet.api, 'mac-0');
  const gone = (): boolean => fleet.view.macs().length + fleet.view.pods().length + fleet.view.nodes().length === 0;
  if (!(await fleet.run(gone, WITHIN_MS))) {
    violations.push(`not everything that is deleted goes away: ${stateOf(fleet)}`);
    return;
  }
  const backInPool = (): boolean => fleet.cloud.state.servers.every(({ status }) => status === 'ready');
  await fleet.run(backInPool, minutes(30));
}

function stateOf({ view }: VirtualFleet): string {
  const conditions = view.macs().flatMap(({ status }) => status?.conditions ?? []);
  const held = conditions.filter(({ status }) => status !== 'True').map(({ type, message }) => `${type}: ${message}`);
  const pods = view.pods().map(({ metadata, status }) => `Pod ${metadata.name} ${status?.phase}`);
  return [...held, ...pods, ...view.nodes().map(({ metadata }) => `Node ${metadata.name}`)].join('; ');
}

/** Objects, hosts and VMs that are left; certificate requests and Events expire by themselves and do not count. */
function endOf({ view, cloud, macs }: VirtualFleet): string {
  const hosts = cloud.state.servers.map(({ name, wipes }) => `${withoutChance(name)} wiped ${wipes}x`).sort();
  return [
    ...view.secrets().map(({ metadata }) => `Secret ${metadata.name}`),
    ...view.macs().map(({ metadata }) => `machine ${metadata.name}`),
    ...view.pods().map(({ metadata }) => `Pod ${metadata.name}`),
    ...view.nodes().map(({ metadata }) => `Node ${metadata.name}`),
    ...macs.vms().map(({ vm }) => `VM ${vm}`),
    ...cloud.state.keys.map(({ name }) => `key ${name}`),
    ...hosts,
  ]
    .sort()
    .join('\n');
}

/** A free host: given back under a random name, never taken, or left half-claimed for whoever finds it (mac-F17). */
const withoutChance = (name: string): string => name.replace(/^(pool|tuist-claim-pending)-.*$/, 'free');
