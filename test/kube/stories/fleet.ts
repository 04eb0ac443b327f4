// The fleet of the story on a real cluster: one manager, our subset of Cluster API, modelled Macs with real agents on them.

import { inProcessShell } from '../../../sim/mac-host/in-process.ts';
import { MacHostsModel } from '../../../sim/mac-host/model.ts';
import { inProcess } from '../../../sim/scaleway/in-process.ts';
import { ScalewayModel } from '../../../sim/scaleway/model.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { seconds } from '../../../src/base/clock.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { clusterControllers } from '../../../src/fleet/controllers.ts';
import { openWorld } from '../../../src/fleet/world.ts';
import { type MacSettings, USUAL_SETTINGS } from '../../../src/mac/world.ts';
import { testLog } from '../../world/test-log.ts';
import { type StoryCluster, storyCluster } from './cluster.ts';
import { MacAgents } from './mac-agents.ts';
import { ManagerProcess } from './mac-provider.ts';
import { Troubles } from './troubles.ts';

const clock = systemClock;
const random = systemRandom;

/** A reinstallation takes 5 to 15 minutes at Scaleway; nothing here depends on how long. */
const DURATIONS_MS = { starting: seconds(1), reinstalling: seconds(3), rebooting: seconds(1) };

/** Deadlines shortened; each machine names a pool of its own. */
const SETTINGS: Omit<MacSettings, 'apiServer'> = {
  ...USUAL_SETTINGS,
  rebootAfter: 0,
  giveBackAfter: 2,
  dialWindowMs: seconds(3),
  claimSettlesMs: seconds(1),
};

const SWEEP = { deadlineSeconds: 15, recheckSeconds: 5 };

export interface StoryFleet {
  readonly cluster: StoryCluster;
  readonly cloud: ScalewayModel;
  readonly hosts: MacHostsModel;
  readonly agents: MacAgents;
  readonly troubles: Troubles;
  readonly manager: ManagerProcess;
  /** Programs that ended by themselves. */
  fallen(): readonly string[];
  close(): Promise<void>;
}

export async function storyFleet(): Promise<StoryFleet> {
  const cluster = await storyCluster();
  const { kube } = cluster;
  const cloud = new ScalewayModel({ clock, random, durations: DURATIONS_MS, keysEnter: 'at login' });
  const agents = new MacAgents(kube.folder, cluster.noting);
  const hosts = new MacHostsModel(cloud, agents);
  const troubles = new Troubles();
  const manager = new ManagerProcess({
    transport: troubles.transport(await cluster.account('pippin-manager')),
    cloud: troubles.cloud(inProcess(cloud)),
    shell: troubles.shell(inProcessShell(hosts)),
    settings: { ...SETTINGS, apiServer: { url: kube.url, caPem: kube.caPem } },
    projectId: cloud.state.projectId,
    sweep: SWEEP,
  });
  manager.start();
  const clusterApi = await startClusterApi(cluster);
  const close = async (): Promise<void> => {
    await Promise.all([manager.stop(), clusterApi.stop()]);
    agents.endAll();
    cloud.close();
    await cluster.close();
  };
  const fallen = (): readonly string[] =>
    [manager.fallen, clusterApi.fallen(), ...agents.fallen].filter(each => each !== undefined);
  return { cluster, cloud, hosts, agents, troubles, manager, fallen, close };
}

/** Ours, as Cluster API itself does not run here. Kubernetes' own controllers are kube-controller-manager's. */
async function startClusterApi(cluster: StoryCluster) {
  const world = openWorld({
    transport: await cluster.account('pippin-cluster-api'),
    component: 'pippin-cluster-api',
    clock,
    random,
    log: testLog('cluster-api', clock),
    metrics: noMetrics,
  });
  const life = new AbortController();
  let failure: string | undefined;
  const running = clusterControllers({ world, clusterApi: {} })(life.signal).catch((error: unknown) => {
    failure = String(error);
  });
  const stop = async (): Promise<void> => {
    life.abort(new Error('the story is over'));
    await running;
    await world.close();
  };
  return { stop, fallen: () => failure };
}
