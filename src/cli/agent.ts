// `pippin agent`: the node agent of one Mac, with upstream's flags.

import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { realKeys } from '../adapters/keys/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { type LogLevel, systemLog } from '../adapters/system/log.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { runAgent } from '../fleet/agent.ts';
import { usageError } from './errors.ts';
import { untilToldToEnd } from './signals.ts';

interface Flags {
  readonly kubeconfig: string;
  readonly nodeName: string;
  readonly providerId?: string;
  readonly nodeIp?: string;
  readonly nodeLabels: string;
  readonly hostCpu: string;
  readonly hostMemoryMb: string;
  readonly maxPods: string;
  readonly minGoldensKept: string;
  readonly disableVmGc: boolean;
  readonly tartBinary: string;
  readonly tartHome: string;
  readonly userDataDir: string;
  readonly stateDir: string;
  readonly upstreamLogDir: string;
  readonly vmStartWindowSeconds: string;
  readonly metricsBindAddress: string;
  readonly logLevel: string;
}

export function command(): Command {
  return new Command('agent')
    .requiredOption('--kubeconfig <file>', 'How to reach the API; its certificate is renewed in place')
    .option('--node-name <name>', 'Name of this Node', hostname())
    .option('--provider-id <id>', 'providerID of this Mac; without one it goes by its hardware UUID')
    .option('--node-ip <address>', 'Address of this Node; the first usable one unless given')
    .option('--node-labels <labels>', 'Labels of this Node: name=value,name=value', '')
    .option('--host-cpu <count>', 'CPUs that Pods may have', '8')
    .option('--host-memory-mb <mb>', 'Memory that Pods may have', '16384')
    .option('--max-pods <count>', 'Pods at once; ended ones count too', '2')
    .option('--min-goldens-kept <count>', 'Golden bases that stay whatever the disk says', '1')
    .option('--disable-vm-gc', 'Collect nothing: for hosts that build images', false)
    .option('--tart-binary <file>', 'The tart command', '/usr/local/bin/tart')
    .option('--tart-home <dir>', 'Where tart keeps VMs and images', join(homedir(), '.tart'))
    .option('--user-data-dir <dir>', 'Files for guests', '/var/lib/tart-userdata')
    .option('--state-dir <dir>', "The agent's notes, and logs of VMs", '/var/lib/pippin')
    .option('--upstream-log-dir <dir>', "Where upstream's agent, if it ran here, kept its logs", '/var/log/tart-vms')
    .option('--vm-start-window-seconds <seconds>', 'How long a VM must live to count as started', '5')
    .option('--metrics-bind-address <address>', 'Where /metrics and /healthz are served; 0: nowhere', ':8080')
    .option('--log-level <level>', 'debug, info, warn or error', 'info')
    .action((flags: Flags) => run(flags));
}

async function run(flags: Flags): Promise<void> {
  const { signal } = untilToldToEnd();
  await runAgent(
    {
      kubeconfig: flags.kubeconfig,
      settings: {
        nodeName: flags.nodeName,
        ...(flags.providerId === undefined || flags.providerId === '' ? {} : { providerId: flags.providerId }),
        ...(flags.nodeIp === undefined ? {} : { nodeIp: flags.nodeIp }),
        nodeLabels: labelsOf(flags.nodeLabels),
        cpu: count('--host-cpu', flags.hostCpu),
        memoryMb: count('--host-memory-mb', flags.hostMemoryMb),
        maxPods: count('--max-pods', flags.maxPods),
        minGoldensKept: count('--min-goldens-kept', flags.minGoldensKept),
        collectsGarbage: !flags.disableVmGc,
      },
      tartBinary: flags.tartBinary,
      tartHome: flags.tartHome,
      userDataDir: flags.userDataDir,
      stateDir: flags.stateDir,
      upstreamLogDir: flags.upstreamLogDir,
      startWindowSeconds: count('--vm-start-window-seconds', flags.vmStartWindowSeconds),
      ...(flags.metricsBindAddress === '0' ? {} : { statusAddress: flags.metricsBindAddress }),
      env: process.env,
      clock: systemClock,
      random: systemRandom,
      log: systemLog({ level: levelOf(flags.logLevel) }),
      keys: realKeys,
    },
    signal,
  );
}

function count(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(`${flag} wants a whole number, not "${text}"`);
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter(pair => pair !== '');
  return Object.fromEntries(
    pairs.map(pair => {
      const match = /^([A-Za-z0-9]([A-Za-z0-9./_-]*[A-Za-z0-9])?)=([A-Za-z0-9._-]*)$/.exec(pair);
      if (match === null) throw usageError(`--node-labels wants name=value,name=value, not "${pair}"`);
      return [match[1] ?? '', match[3] ?? ''];
    }),
  );
}

function levelOf(text: string): LogLevel {
  if (text === 'debug' || text === 'info' || text === 'warn' || text === 'error') return text;
  throw usageError(`--log-level is debug, info, warn or error, not "${text}"`);
}
