// The simulated world of `pippin up`: Scaleway over HTTP, a Mac behind each server over SSH, and what they run.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { MacHosts } from '../../../sim/mac-host/hosts.ts';
import type { SavedScaleway } from '../../../sim/scaleway/saved.ts';
import type { ScalewayServer } from '../../../sim/scaleway/server.ts';
import type { ScalewayState, SimServer } from '../../../sim/scaleway/state.ts';
import { scalewayCloud } from '../../adapters/scaleway/cloud.ts';
import { sshShell } from '../../adapters/ssh/shell.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { Artifacts } from '../../mac/artifacts.ts';
import type { MacCloud } from '../../mac/cloud.ts';
import type { HostShell } from '../../mac/host-shell.ts';
import { HOST_COMMANDS } from '../../mac/machine/bootstrap/script.ts';
import { privateFolder } from '../api-files.ts';
import { inFolder } from '../folder-trouble.ts';
import { programFile } from '../programs.ts';
import { DEMO_REGISTRY } from './demo.ts';
import { keep, readKept } from './kept-json.ts';
import { type Ports, portFor } from './ports.ts';
import { compileCacheIn } from './prepare.ts';

export interface SimulationSetup {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  /** How many Macs the project has at least. */
  readonly macs: number;
}

export interface Simulation {
  readonly cloud: MacCloud;
  readonly shell: HostShell;
  readonly artifacts: Artifacts;
  readonly projectId: string;
  readonly zones: readonly string[];
  /** Ends every process on the simulated Macs, and the services. */
  close(): Promise<void>;
}

/** What a start finds again of the one before. */
interface KeptSettings {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly ports: Ports;
}

/** Free hosts' names start with it. */
export const POOL_PREFIX = 'pool-';
const ZONE = 'fr-par-1';

/** Real ones take minutes; these are long enough to be seen. */
const DURATIONS_MS = { starting: 5_000, reinstalling: 8_000, rebooting: 3_000 };

export async function startSimulation(setup: SimulationSetup): Promise<Simulation> {
  const { dataDir, clock, random } = setup;
  const files = filesIn(dataDir);
  const kept = readKept<KeptSettings>(files.settings) ?? newSettings(random);
  const model = await openScaleway(setup, files.state);
  const ports = await portsOf(model.state.servers, kept.ports);
  keep(files.settings, { ...kept, ports });

  const { serveScaleway } = await import('../../../sim/scaleway/server.ts');
  const server = await serveScaleway({ model, secretKey: kept.secretKey, port: ports[SCALEWAY] ?? 0 });
  const { hosts, artifacts } = await openHosts(setup, model, ports);
  const { projectId } = model.state;
  return {
    cloud: scalewayCloud({ ...kept, projectId, clock, apiUrl: server.url }),
    shell: sshShell({ clock, route: hosts.route }),
    artifacts,
    projectId,
    zones: [ZONE],
    close: () => closeAll(model, hosts, server),
  };
}

async function closeAll(model: SavedScaleway, hosts: MacHosts, server: ScalewayServer): Promise<void> {
  model.save();
  model.close();
  await hosts.close();
  await server.close();
}

const SCALEWAY = 'scaleway';
const sshOf = ({ id }: SimServer): string => `ssh ${id}`;
const agentOf = ({ id }: SimServer): string => `agent ${id}`;

function filesIn(dataDir: string) {
  const folder = join(dataDir, 'simulated');
  privateFolder(folder);
  const in_ = (name: string): string => join(folder, name);
  return { settings: in_('settings.json'), state: in_('scaleway.json'), macs: in_('macs'), tart: in_('tart') };
}

function newSettings(random: Random): KeptSettings {
  const accessKey = `SCW${random.uuid().replaceAll('-', '').slice(0, 17).toUpperCase()}`;
  return { accessKey, secretKey: random.uuid(), ports: {} };
}

async function openScaleway({ clock, random, macs }: SimulationSetup, file: string): Promise<SavedScaleway> {
  const { SavedScaleway } = await import('../../../sim/scaleway/saved.ts');
  const state = readKept<ScalewayState>(file);
  const options = { clock, random, durations: DURATIONS_MS, keysEnter: 'at login' as const };
  const model = new SavedScaleway(state === undefined ? options : { ...options, state }, now => keep(file, now));
  while (model.state.servers.length < macs) {
    model.order({ name: `${POOL_PREFIX}${model.state.servers.length + 1}`, zone: ZONE });
  }
  model.save();
  return model;
}

async function portsOf(servers: readonly SimServer[], kept: Ports): Promise<Ports> {
  const ports: Record<string, number> = {};
  for (const service of [SCALEWAY, ...servers.flatMap(server => [sshOf(server), agentOf(server)])]) {
    ports[service] = await portFor(service, kept);
  }
  return ports;
}

async function openHosts(
  { dataDir, clock }: SimulationSetup,
  model: SavedScaleway,
  ports: Ports,
): Promise<{ readonly hosts: MacHosts; readonly artifacts: Artifacts }> {
  const [{ MacHosts }, { simulatedArtifacts, AGENT_FLAGS }] = await Promise.all([
    import('../../../sim/mac-host/hosts.ts'),
    import('../../../sim/mac-host/artifacts.ts'),
  ]);
  const files = filesIn(dataDir);
  // A person's own goes first, as it does for this process.
  const compileCache = process.env.NODE_COMPILE_CACHE ?? compileCacheIn(dataDir);
  const hosts = new MacHosts({
    clock,
    model,
    folder: files.macs,
    commands: HOST_COMMANDS,
    ports: Object.fromEntries(model.state.servers.map(server => [server.id, ports[sshOf(server)] ?? 0])),
    environmentOf: server => ({
      NODE_COMPILE_CACHE: compileCache,
      [AGENT_FLAGS]: agentFlags(join(files.macs, server.id, 'disk'), ports[agentOf(server)] ?? 0).join('\n'),
    }),
  });
  // A wipe that an earlier start did not finish begins anew; the boot comes when the server has settled.
  for (const { id, status } of model.state.servers) if (status === 'reinstalling') await hosts.mac(id).wipe();
  await hosts.open();
  const tart = await writeTartDouble(files.tart, compileCache);
  return { hosts, artifacts: simulatedArtifacts({ tart, agent: agentCommand() }) };
}

/** The double of tart with its registry: a command and its first arguments. */
async function writeTartDouble(folder: string, compileCache: string): Promise<readonly string[]> {
  const { writeTart } = await import('../../../sim/tart/wrapper.ts');
  const path = join(folder, 'tart');
  writeTart(path, { node: process.execPath, command: programFile('tart'), compileCache });
  const registry = join(folder, 'registry.json');
  inFolder(folder, () => writeFileSync(registry, JSON.stringify(DEMO_REGISTRY)));
  return ['/usr/bin/env', `TART_SIM_REGISTRY=${registry}`, path];
}

/** An agent watches one Node's Pods: a small heap is enough, and V8 would take a large one if it were let. */
const AGENT_NODE_FLAGS = [
  '--max-old-space-size=64',
  '--max-semi-space-size=1',
  '--disable-warning=ExperimentalWarning',
];

const agentCommand = (): readonly string[] => [process.execPath, ...AGENT_NODE_FLAGS, programFile('pippin'), 'agent'];

/** Many Macs share this machine: each agent keeps to its Mac's disk, and listens on loopback on a port of its own. */
const agentFlags = (disk: string, port: number): readonly string[] => [
  `--user-data-dir=${disk}/var/lib/tart-userdata`,
  `--state-dir=${disk}/var/lib/pippin`,
  `--upstream-log-dir=${disk}/var/log/tart-vms`,
  `--metrics-bind-address=127.0.0.1:${port}`,
  // A simulated VM that starts has started.
  `--vm-start-window-seconds=1`,
];
