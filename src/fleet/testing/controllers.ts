// The controllers beside an API for tests: those that were asked for, with the rights that they have elsewhere.

import { setMaxListeners } from 'node:events';
import { realKeys } from '../../adapters/keys/index.ts';
import type { Clock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { client } from '../../kube/client.ts';
import { clusterControllers } from '../controllers.ts';
import { CONTROLLER_MANAGER, type KeyedApi, kubernetesOptions } from '../kubernetes-options.ts';
import { controllerIdentity, installManifests, sharedReader } from '../manifests.ts';
import { openWorld } from '../world.ts';
import { CONTROLLERS } from './options.ts';

interface Seams {
  readonly clock: Clock;
  readonly random: Random;
}

/** Starts them; what it returns ends them. */
export async function startControllers(
  names: readonly string[],
  keyed: KeyedApi,
  seams: Seams,
): Promise<() => Promise<void>> {
  if (names.length === 0) return () => Promise.resolve();

  const { transport } = keyed;
  const all = { ...seams, keys: realKeys, log: silentLog, metrics: noMetrics };
  await installManifests(client(transport, { clock: seams.clock, userAgent: 'pippin-testing' }), ['embedded']);
  const world = openWorld({ ...all, transport, identity: sharedReader, component: CONTROLLER_MANAGER });
  const stopping = new AbortController();
  // One per controller and cache: more than Node thinks likely, and all of them end with it.
  setMaxListeners(0, stopping.signal);
  const program = clusterControllers({
    world,
    kubernetes: kubernetesOptions(all, keyed),
    actingAs: controllerIdentity,
    without: CONTROLLERS.filter(name => !names.includes(name)),
  });
  const running = program(stopping.signal);
  return async () => {
    stopping.abort();
    await running;
    await world.close();
  };
}
