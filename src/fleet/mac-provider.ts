// `pippin manager`: the Mac provider's controllers and the sweep against any cluster, one replica at a time.

import { httpTransport } from '../adapters/http/client.ts';
import { serveStatus } from '../adapters/http/status-server.ts';
import type { ScalewayAccess } from '../adapters/scaleway/client.ts';
import { scalewayCloud } from '../adapters/scaleway/cloud.ts';
import { probeScaleway } from '../adapters/scaleway/probe.ts';
import { sshShell } from '../adapters/ssh/shell.ts';
import { type ScrapedMetrics, systemMetrics } from '../adapters/system/metrics.ts';
import type { Clock } from '../base/clock.ts';
import type { Keys } from '../base/keys.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { client } from '../kube/client.ts';
import { Election } from '../kube/leader.ts';
import type { Transport } from '../kube/transport.ts';
import type { MacSettings } from '../mac/world.ts';
import { agentApi } from './agent-api.ts';
import { artifactFile } from './artifact-files.ts';
import { type ClusterChoice, clusterAccess } from './cluster-access.ts';
import { clusterControllers, macManager, type Program } from './controllers.ts';
import { leaderOnlyCloud, leaderOnlyShell } from './leader-only.ts';
import { openWorld } from './world.ts';

export interface ManagerSetup {
  readonly cluster: Pick<ClusterChoice, 'kubeconfig' | 'context' | 'env'>;
  readonly scaleway: Omit<ScalewayAccess, 'clock'>;
  readonly zones: readonly string[];
  readonly settings: Omit<MacSettings, 'apiServer'>;
  /** How agents reach the API, where the cluster does not say so itself. */
  readonly apiServerUrl?: string;
  readonly artifactFiles: { readonly tart: string; readonly agent: string };
  readonly workers: number;
  /** Our subset of Cluster API core, where Cluster API itself does not run. */
  readonly clusterApi: 'ours' | 'elsewhere';
  readonly election: { readonly namespace: string; readonly name: string } | 'off';
  /** `host:port` of health, and of metrics. */
  readonly healthAddress: string;
  readonly metricsAddress: string;
  readonly sweepDeadlineSeconds?: number;
  /** Where hosts are reached in tests. */
  readonly route?: Parameters<typeof sshShell>[0]['route'];
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Keys;
  readonly log: Log;
}

/** Runs until the signal aborts. Throws when the cluster, the cloud or a file cannot be used. */
export async function runManager(setup: ManagerSetup, signal: AbortSignal): Promise<void> {
  const { clock } = setup;
  const access = await clusterAccess({ ...setup.cluster, clock });
  const artifacts = {
    tart: await artifactFile('--tart-artifact', setup.artifactFiles.tart),
    agent: await artifactFile('--agent-artifact', setup.artifactFiles.agent),
  };
  await letIn(setup);
  const transport = httpTransport(access);
  const apiServer = await agentApi(setup.apiServerUrl, access, client(transport, { clock, userAgent: COMPONENT }));
  const metrics = systemMetrics();
  const pages = { scrape: metrics.scrape, isReady: () => !signal.aborted };
  const health = await serveStatus({ ...pages, address: setup.healthAddress });
  try {
    const told = await serveStatus({ ...pages, address: setup.metricsAddress });
    const settings = { ...setup.settings, apiServer };
    await leading({ ...setup, settings, artifacts, transport, metrics }, signal).finally(() => told.close());
  } finally {
    await health.close();
  }
}

const COMPONENT = 'pippin-manager';

async function letIn({ scaleway, zones, clock, log }: ManagerSetup): Promise<void> {
  const probed = await probeScaleway({ ...scaleway, clock }, zones[0] ?? '');
  if (probed !== 'let in') log.warn('Scaleway gives no clear answer yet; the manager starts all the same', probed);
}

type Led = Omit<ManagerSetup, 'settings'> & {
  readonly settings: MacSettings;
  readonly artifacts: Parameters<typeof macManager>[0]['artifacts'];
  readonly transport: Transport;
  readonly metrics: ScrapedMetrics;
};

/** Whatever the election: without a lease there is nothing to ask before a write. */
async function leading(led: Led, signal: AbortSignal): Promise<void> {
  const { election, transport, random } = led;
  if (election === 'off') return programsOf(led, transport)(signal);
  const identity = `${led.cluster.env.HOSTNAME ?? 'pippin'}_${random.uuid()}`;
  const elected = new Election({ ...led, ...election, identity });
  const { gate } = elected;
  await elected.lead(programsOf(led, gate.guard(transport), gate), signal);
}

function programsOf(led: Led, transport: Transport, gate?: Election['gate']): Program {
  const { scaleway, clock, route, sweepDeadlineSeconds } = led;
  const cloud = scalewayCloud({ ...scaleway, clock });
  const shell = sshShell({ clock, ...(route === undefined ? {} : { route }) });
  return async signal => {
    const world = openWorld({ ...led, transport, component: COMPONENT });
    const manager = macManager({
      ...led,
      world,
      cloud: gate === undefined ? cloud : leaderOnlyCloud(cloud, gate),
      shell: gate === undefined ? shell : leaderOnlyShell(shell, gate),
      projectId: scaleway.projectId,
      ...(sweepDeadlineSeconds === undefined ? {} : { sweep: { deadlineSeconds: sweepDeadlineSeconds } }),
    });
    const programs = led.clusterApi === 'ours' ? [manager, clusterControllers({ world, clusterApi: {} })] : [manager];
    try {
      await together(programs, signal);
    } finally {
      await world.close();
    }
  };
}

/** When one fails, the others are stopped before the failure is told. */
async function together(programs: readonly Program[], signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const runs = programs.map(program => program(AbortSignal.any([signal, stop.signal])));
  try {
    await Promise.all(runs);
  } finally {
    stop.abort(new Error('another program of this process failed'));
    await Promise.allSettled(runs);
  }
}
