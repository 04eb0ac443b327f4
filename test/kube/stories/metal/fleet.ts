// The bare-metal fleet of the story on a real cluster: both halves of Metal3, our subset of Cluster API, simulated hosts.

import { SimulatedHosts } from '../../../../sim/metal/hosts.ts';
import { allStepsTake } from '../../../../sim/metal/quirks.ts';
import { SimulatedWorkloads } from '../../../../sim/metal/workloads.ts';
import { httpTransport } from '../../../../src/adapters/http/client.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../../src/adapters/system/random.ts';
import { inProcessApi } from '../../../../src/fleet/api.ts';
import { clusterControllers } from '../../../../src/fleet/controllers.ts';
import { ipamManager, metalManager } from '../../../../src/fleet/metal.ts';
import type { ClusterAccess } from '../../../../src/kube/cluster-access.ts';
import { runControllers } from '../../../../src/kube/run.ts';
import { USUAL_METAL_SETTINGS } from '../../../../src/metal/world.ts';
import { CLUSTER, HARDWARE, IPAM, METAL } from '../../../world/metal/names.ts';
import { type StoryCluster, storyCluster } from '../cluster.ts';
import { StoryProgram } from './program.ts';

const clock = systemClock;
/** Nothing here depends on how long hardware takes. */
const STEP_MS = 100;

export interface MetalStoryFleet {
  readonly cluster: StoryCluster;
  readonly workloads: SimulatedWorkloads;
  readonly hosts: SimulatedHosts;
  program(name: string): StoryProgram;
  /** Programs that ended by themselves. */
  fallen(): readonly string[];
  close(): Promise<void>;
}

export async function metalStoryFleet(): Promise<MetalStoryFleet> {
  const cluster = await storyCluster({
    definitions: ['mac', 'metal', 'stand-ins for metal'],
    manifests: ['metal', 'ipam', 'clusterApi'],
  });
  const workloads = new SimulatedWorkloads({
    clock,
    management: cluster.api,
    open: () => inProcessApi({ clock, random: systemRandom }),
  });
  const hosts = new SimulatedHosts({ clock, workload: workloads, quirks: { delaysMs: allStepsTake(STEP_MS) } });
  const programs = await programsOf(cluster, workloads, hosts);
  for (const each of programs.values()) each.start();
  return {
    cluster,
    workloads,
    hosts,
    program: name => {
      const program = programs.get(name);
      if (program === undefined) throw new Error(`there is no program ${name}`);
      return program;
    },
    fallen: () => [...programs.values()].flatMap(({ fallen }) => fallen ?? []),
    close: async () => {
      await Promise.all([...programs.values()].map(each => each.stop()));
      await workloads.close();
      await cluster.close();
    },
  };
}

async function programsOf(
  cluster: StoryCluster,
  workloads: SimulatedWorkloads,
  hosts: SimulatedHosts,
): Promise<ReadonlyMap<string, StoryProgram>> {
  const { kube } = cluster;
  const dial = (access: ClusterAccess) => workloads.dial(access);
  const admin = httpTransport({ server: kube.url, caPem: kube.caPem, token: async () => kube.adminToken });
  const metal = new StoryProgram(METAL, await cluster.account('pippin-metal'), world =>
    metalManager({ world, settings: USUAL_METAL_SETTINGS, dial }),
  );
  const ipam = new StoryProgram(IPAM, await cluster.account('pippin-ipam'), world => ipamManager({ world }));
  const clusterApi = new StoryProgram(CLUSTER, await cluster.account('pippin-cluster-api'), world =>
    clusterControllers({ world, clusterApi: { providers: ['metal'], dial } }),
  );
  const hardware = new StoryProgram(
    HARDWARE,
    admin,
    world => signal => runControllers(world, [hosts.controller()], signal),
  );
  return new Map([
    [METAL, metal],
    [IPAM, ipam],
    [CLUSTER, clusterApi],
    [HARDWARE, hardware],
  ]);
}
