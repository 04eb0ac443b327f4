// The workload cluster of a fleet that moves: served, so that the managers of both sides reach it by the kubeconfig that moves along.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedWorkloads } from '../../../sim/metal/workloads.ts';
import { realKeys } from '../../../src/adapters/keys/index.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { serveApi } from '../../../src/fleet/serve-api.ts';
import type { Api } from '../../../src/kube/api.ts';
import { CLUSTER } from './fleet.ts';

/** Its Secret is put into the namespace of the Cluster, which has to be there. */
export async function servedWorkload(management: Api, folder: string): Promise<SimulatedWorkloads> {
  const dataDir = join(folder, 'workload');
  mkdirSync(dataDir, { mode: 0o700 });
  const served = await serveApi({ dataDir, port: 0, clock: systemClock, random: systemRandom, keys: realKeys });
  const kubeconfig = readFileSync(served.kubeconfigFile, 'utf8');
  const open = () => Promise.resolve({ transport: served.transport, kubeconfig, close: () => served.close() });
  const workloads = new SimulatedWorkloads({ clock: systemClock, management, open });
  await workloads.open(CLUSTER);
  return workloads;
}
