// The bare-metal side of `pippin up`: simulated hosts, one workload cluster with an API of its own, and the Metal3 controllers.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runControllers } from '../../kube/run.ts';
import { USUAL_METAL_SETTINGS } from '../../metal/world.ts';
import { adminIdentity } from '../api.ts';
import { privateFolder } from '../api-files.ts';
import { ipamIdentity, metalIdentity } from '../manifests.ts';
import { ipamManager, metalManager } from '../metal.ts';
import { type ServedApi, serveApi } from '../serve-api.ts';
import type { Closing } from './closing.ts';
import type { ControlPlane } from './control-plane.ts';
import { keep, readKept } from './kept-json.ts';
import { METAL_CLUSTER } from './metal-demo.ts';
import { type Ports, portFor } from './ports.ts';

export interface MetalSetup {
  readonly dataDir: string;
  readonly say: (line: string) => void;
}

/** Real hosts take minutes for what these do in half a second. */
const STEP_MS = 500;

/** Resolves once the workload cluster answers and everything runs; the kubeconfig that leads into it is its answer. */
export async function startMetal(plane: ControlPlane, setup: MetalSetup, closing: Closing): Promise<string> {
  const workload = await serveWorkload(plane, setup.dataDir);
  closing.add('workload cluster', () => workload.close());
  await startHosts(plane, workload, closing);
  const metal = plane.openWorld('pippin-metal', metalIdentity);
  const settings = USUAL_METAL_SETTINGS;
  closing.run('metal', metalManager({ world: metal, settings, ...plane.reach }));
  closing.run('ipam', ipamManager({ world: plane.openWorld('pippin-ipam', ipamIdentity) }));
  setup.say(`workload cluster ready at ${workload.url}`);
  return workload.kubeconfigFile;
}

const SERVICE = 'workload cluster';

/** Its port is kept over restarts: the kubeconfig that people have leads there (up-4). */
async function serveWorkload(plane: ControlPlane, dataDir: string): Promise<ServedApi> {
  const folder = join(dataDir, 'workload');
  privateFolder(folder);
  const file = join(folder, 'ports.json');
  const port = await portFor(SERVICE, readKept<Ports>(file) ?? {});
  keep<Ports>(file, { [SERVICE]: port });
  const { clock, random, keys, log } = plane;
  return serveApi({ dataDir: folder, port, clock, random: random.stream(SERVICE), keys, log });
}

async function startHosts(plane: ControlPlane, workload: ServedApi, closing: Closing): Promise<void> {
  const [{ SimulatedHosts }, { SimulatedWorkloads }, { allStepsTake }] = await Promise.all([
    import('../../../sim/metal/hosts.ts'),
    import('../../../sim/metal/workloads.ts'),
    import('../../../sim/metal/quirks.ts'),
  ]);
  const { clock, api: management } = plane;
  const kubeconfig = readFileSync(workload.kubeconfigFile, 'utf8');
  const open = () => Promise.resolve({ transport: workload.transport, kubeconfig, close: () => Promise.resolve() });
  const workloads = new SimulatedWorkloads({ clock, management, open });
  await workloads.open(METAL_CLUSTER);
  const hosts = new SimulatedHosts({ clock, workload: workloads, quirks: { delaysMs: allStepsTake(STEP_MS) } });
  // The Bare Metal Operator is no program of ours, and its double needs no role of ours.
  const world = plane.openWorld('simulated-hosts', adminIdentity);
  closing.run('simulated hosts', signal => runControllers(world, [hosts.controller()], signal));
}
