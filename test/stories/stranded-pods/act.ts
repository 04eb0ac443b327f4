// Steps that the scenarios of this story share: a Mac with running Pods, and its end.

import assert from 'node:assert/strict';
import { minutes } from '../../../src/base/clock.ts';
import { appleSiliconProviderId } from '../../../src/kinds/wire.ts';
import { createMac, createPod } from '../../world/acts.ts';
import { type FleetOptions, type VirtualFleet, virtualFleet } from '../../world/fleet.ts';
import { assertEmpty } from '../telling/scenario.ts';

/** A fleet in which `mac-0` runs these Pods; one more Mac stays in the pool. */
export async function fleetWith(pods: readonly string[], options: FleetOptions = {}): Promise<VirtualFleet> {
  const fleet = await virtualFleet({ macs: 2, ...options });
  await createMac(fleet.api, 'mac-0');
  await runPods(fleet, pods);
  return fleet;
}

export async function runPods(fleet: VirtualFleet, pods: readonly string[]): Promise<void> {
  for (const name of pods) await createPod(fleet.api, name);
  await must(fleet, `${pods.join(', ')} run`, () => pods.every(fleet.view.runs) && fleet.view.nodes().length > 0);
}

/** Lets things happen until `until` holds; fails with `what` when it does not. Answers the milliseconds it took. */
export async function must(
  fleet: VirtualFleet,
  what: string,
  until: () => boolean,
  withinMs: number = minutes(60),
): Promise<number> {
  const startMs = fleet.clock.monotonic();
  const came = await fleet.run(until, withinMs);
  assert.ok(came, `within ${withinMs / 1000} s: ${what}`);
  return fleet.clock.monotonic() - startMs;
}

/** The id of the host that bears this name now. */
export function hostNamed(fleet: VirtualFleet, name: string): string {
  const server = fleet.cloud.byName(name);
  assert.ok(server !== undefined, `a host is named ${name}`);
  return server.id;
}

export const providerIdOn = (fleet: VirtualFleet, serverId: string): string =>
  appleSiliconProviderId(fleet.cloud.byId(serverId).zone, serverId);

/** Nothing of the machine is left: no object, no Node, no Pod, no VM, and its host is back in the pool, wiped once. */
export function assertGone(fleet: VirtualFleet, serverId: string): void {
  assertEmpty(
    'machines',
    fleet.view.macs().map(({ metadata }) => metadata.name),
  );
  assertEmpty(
    'Pods',
    fleet.view.pods().map(({ metadata }) => metadata.name),
  );
  assertEmpty(
    'Nodes',
    fleet.view.nodes().map(({ metadata }) => metadata.name),
  );
  assertEmpty('VMs', fleet.macs.running());
  const server = fleet.cloud.byId(serverId);
  assert.match(server.name, /^pool-/, 'the host is back in the pool');
  assert.equal(server.wipes, 1, 'the host was wiped once');
}

/** Runs a scenario on a fleet and ends the fleet whatever happens. */
export async function on(fleet: VirtualFleet, play: (fleet: VirtualFleet) => Promise<string>): Promise<string> {
  try {
    const told = await play(fleet);
    assertEmpty('refused requests', fleet.refused);
    return told;
  } finally {
    await fleet.close();
  }
}
