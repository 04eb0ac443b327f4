// One node agent on a real host, wired: tart, the disk, the API by kubeconfig, and its health and metrics pages.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentHost } from '../adapters/disk/agent-host.ts';
import { fileRecords } from '../adapters/disk/records.ts';
import { serveStatus } from '../adapters/http/status-server.ts';
import { ensureGuiSession } from '../adapters/launchd/gui-session.ts';
import { systemMetrics } from '../adapters/system/metrics.ts';
import { tart } from '../adapters/tart/tart.ts';
import { agent } from '../agent/index.ts';
import type { AgentSettings } from '../agent/settings.ts';
import { type Clock, seconds } from '../base/clock.ts';
import type { CertificateReader, Keys } from '../base/keys.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { client } from '../kube/client.ts';
import { agentAccess } from './agent-kubeconfig.ts';
import { privateFolder } from './api-files.ts';
import { openWorld } from './world.ts';

export interface AgentSetup {
  readonly kubeconfig: string;
  readonly settings: Omit<AgentSettings, 'inheritsUpstream'>;
  readonly tartBinary: string;
  readonly tartHome: string;
  /** Files for guests, one folder a VM. */
  readonly userDataDir: string;
  /** The agent's notes, logs and exit codes of VMs. */
  readonly stateDir: string;
  /** Upstream's agent kept the logs of its VMs here: where it exists, that agent ran this Mac (safe-25). */
  readonly upstreamLogDir: string;
  /** How long a VM must live to count as started (agent-11). */
  readonly startWindowSeconds: number;
  /** `host:port` of health and metrics; absent: none. */
  readonly statusAddress?: string;
  /** What tart gets: PATH, HOME, registry credentials. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keys: Keys & CertificateReader;
}

/** A heartbeat without an answer in this time is given up: three fit into the Node's grace (agent-77). */
const LEASE_TIMEOUT_MS = seconds(10);

/** Runs until `signal` aborts. Throws when the host, tart or the kubeconfig cannot be used. */
export async function runAgent(setup: AgentSetup, signal: AbortSignal): Promise<void> {
  const { settings, clock, random, log, keys, stateDir } = setup;
  const { nodeName } = settings;
  const access = await agentAccess(setup.kubeconfig, nodeName, clock);
  privateFolder(stateDir);
  const metrics = systemMetrics();
  const world = openWorld({
    transport: access.transport,
    component: 'pippin-agent',
    host: nodeName,
    clock,
    random,
    log,
    metrics,
  });
  let isReady = false;
  const { statusAddress: address } = setup;
  const status =
    address === undefined ? undefined : await serveStatus({ address, scrape: metrics.scrape, isReady: () => isReady });
  try {
    const ports = {
      ...world,
      runtime: tart({
        binary: setup.tartBinary,
        home: setup.tartHome,
        env: setup.env,
        folders: { logs: join(stateDir, 'logs'), exits: join(stateDir, 'exits') },
        windowSeconds: setup.startWindowSeconds,
        beforeRun: ensureGuiSession,
      }),
      host: agentHost({ userDataDir: setup.userDataDir, vmDir: setup.tartHome, stateDir }),
      records: fileRecords(stateDir),
      settings: { ...settings, inheritsUpstream: existsSync(setup.upstreamLogDir) },
    };
    const api = client(access.leaseTransport, { clock, userAgent: 'pippin-agent', timeoutMs: LEASE_TIMEOUT_MS });
    const lease = { api, reconnect: access.reconnect };
    isReady = true;
    await agent({ ports, lease, certificate: { store: access.credentials, keys } }, signal);
  } finally {
    await status?.close();
    await world.close();
  }
}
