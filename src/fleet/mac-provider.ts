// The Mac provider as a half of `pippin manager`: its controllers and the sweep, with the real cloud and real hosts behind them.

import { httpTransport } from '../adapters/http/client.ts';
import type { ScalewayAccess } from '../adapters/scaleway/client.ts';
import { scalewayCloud } from '../adapters/scaleway/cloud.ts';
import { probeScaleway } from '../adapters/scaleway/probe.ts';
import { sshShell } from '../adapters/ssh/shell.ts';
import type { Clock } from '../base/clock.ts';
import type { Keys } from '../base/keys.ts';
import type { Log } from '../base/log.ts';
import { client } from '../kube/client.ts';
import type { ClusterAccess } from '../kube/cluster-access.ts';
import type { MacSettings } from '../mac/world.ts';
import { agentApi } from './agent-api.ts';
import { artifactFile } from './artifact-files.ts';
import type { Half } from './cluster-api-beside.ts';
import { macManager } from './controllers.ts';
import { leaderOnlyCloud, leaderOnlyShell } from './leader-only.ts';

export interface MacSetup {
  readonly scaleway: Omit<ScalewayAccess, 'clock'>;
  readonly zones: readonly string[];
  readonly settings: Omit<MacSettings, 'apiServer'>;
  /** How agents reach the API, where the cluster does not say so itself. */
  readonly apiServerUrl?: string;
  readonly artifactFiles: { readonly tart: string; readonly agent: string };
  readonly workers: number;
  readonly sweepDeadlineSeconds?: number;
}

interface Around {
  readonly access: ClusterAccess;
  readonly component: string;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly log: Log;
}

/** Upstream's. */
const LEASE = 'scaleway-applesilicon.infrastructure.cluster.x-k8s.io';

/** Throws when a file, the key to the cloud or the way for agents to the API cannot be had. */
export async function macHalf(setup: MacSetup & Around): Promise<Half> {
  const { access, component, clock, scaleway, sweepDeadlineSeconds } = setup;
  const artifacts = {
    tart: await artifactFile('--tart-artifact', setup.artifactFiles.tart),
    agent: await artifactFile('--agent-artifact', setup.artifactFiles.agent),
  };
  await letIn(setup);
  const api = client(httpTransport(access), { clock, userAgent: component });
  const apiServer = await agentApi(setup.apiServerUrl, access, api);
  const cloud = scalewayCloud({ ...scaleway, clock });
  const shell = sshShell({ clock });
  return {
    lease: LEASE,
    programs: (world, gate) => [
      macManager({
        ...setup,
        world,
        settings: { ...setup.settings, apiServer },
        artifacts,
        cloud: gate === undefined ? cloud : leaderOnlyCloud(cloud, gate),
        shell: gate === undefined ? shell : leaderOnlyShell(shell, gate),
        projectId: scaleway.projectId,
        ...(sweepDeadlineSeconds === undefined ? {} : { sweep: { deadlineSeconds: sweepDeadlineSeconds } }),
      }),
    ],
  };
}

async function letIn({ scaleway, zones, clock, log }: MacSetup & Around): Promise<void> {
  const probed = await probeScaleway({ ...scaleway, clock }, zones[0] ?? '');
  if (probed !== 'let in') log.warn('Scaleway gives no clear answer yet; the manager starts all the same', probed);
}
