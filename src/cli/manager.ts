// `pippin manager`: the controllers against any Kubernetes API, with upstream's flags where they have a meaning here.

import process from 'node:process';
import { Command } from 'commander';
import type { ManagerHalves, ManagerSeams, ManagerSetup } from '../fleet/halves.ts';
import type { MacSetup } from '../fleet/mac-provider.ts';
import { usageError } from './errors.ts';
import { durationMs, levelOf, wholeNumber } from './flags.ts';
import { untilToldToEnd } from './signals.ts';

interface Flags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly controllers: string;
  readonly namespace?: string;
  readonly watchFilter?: string;
  readonly enableBmhNameBasedPreallocation: boolean;
  readonly addressCoolDown: number;
  readonly tartArtifact?: string;
  readonly agentArtifact?: string;
  readonly apiServerUrl?: string;
  readonly agentIdentity: string;
  readonly nodeIdentityClusterRole: string;
  readonly zones: string;
  readonly defaultAdoptPoolPrefix: string;
  readonly tartkubeletHostCpu: number;
  readonly tartkubeletHostMemoryMb: number;
  readonly tartkubeletMaxPods: number;
  readonly tartkubeletGuestCapacity: number;
  readonly tartkubeletMaxUpdateAttempts: number;
  readonly tartkubeletTerminalRetryAfter: number;
  readonly bootstrapRebootAfter: number;
  readonly bootstrapMaxAttempts: number;
  readonly machineMaxConcurrentReconciles: number;
  readonly sweepDeadline?: number;
  readonly clusterApi: boolean;
  readonly leaderElect: boolean;
  readonly leaderElectionNamespace: string;
  readonly healthProbeBindAddress: string;
  readonly metricsBindAddress: string;
  readonly webhookBindAddress: string;
  readonly scalewayApiUrl?: string;
  readonly logLevel: string;
}

export function command(): Command {
  const one = new Command()
    .description(
      'The Mac provider with its sweep, Metal3, and the address manager of Metal3: those of --controllers. For mac, the Scaleway key comes from SCW_ACCESS_KEY, SCW_SECRET_KEY and SCW_DEFAULT_PROJECT_ID; for metal, CAPM3_FAST_TRACK=true leaves power on where disks are to be cleaned.',
    )
    .option('--kubeconfig <file>', 'how to reach the API; in a Pod its service account will do')
    .option('--context <name>', "the kubeconfig's context; its current one unless given")
    .option(
      '--controllers <names>',
      'mac, metal and ipam, comma-separated: each runs beside whoever runs the others',
      'mac',
    );
  return macFlags(metalFlags(processFlags(one))).action(run);
}

function metalFlags(one: Command): Command {
  return one
    .option('--namespace <name>', 'metal, ipam: look after this namespace alone')
    .option('--watch-filter <value>', 'metal, ipam: only objects labelled cluster.x-k8s.io/watch-filter with it')
    .option('--enable-bmh-name-based-preallocation', 'metal: claims for addresses are named by host and pool', false)
    .option('--webhook-bind-address <address>', 'metal, ipam: HTTPS of conversion and admission, or off', ':9443')
    .option('--address-cool-down <t>', 'ipam: how long an address rests before it is given out again', durationMs, 0);
}

function macFlags(one: Command): Command {
  return one
    .option('--tart-artifact <file>', 'what Macs get as tart: a gzipped tar with tart.app at its top; for mac')
    .option('--agent-artifact <file>', 'what Macs get as agent: a gzipped tar with an executable `agent`; for mac')
    .option('--api-server-url <url>', 'how agents reach the API; what kube-public/cluster-info says unless given')
    .option('--agent-identity <kind>', 'certificate or service-account', 'certificate')
    .option('--node-identity-cluster-role <name>', 'role of agents with a service account', 'tart-kubelet')
    .option('--zones <zones>', 'zones with Macs of this project, comma-separated', 'fr-par-1')
    .option('--default-adopt-pool-prefix <prefix>', "names of free hosts begin with it; a machine's own goes first", '')
    .option('--tartkubelet-host-cpu <n>', 'CPUs of a Node, where a machine does not say', wholeNumber, 8)
    .option('--tartkubelet-host-memory-mb <n>', 'memory of a Node', wholeNumber, 16_384)
    .option('--tartkubelet-max-pods <n>', 'Pods of a Node, ended ones included', wholeNumber, 2)
    .option('--tartkubelet-guest-capacity <n>', 'golden bases that a Mac keeps', wholeNumber, 1)
    .option(
      '--tartkubelet-max-update-attempts <n>',
      'failed pushes before a machine is Failed; 0: never',
      wholeNumber,
      5,
    )
    .option(
      '--tartkubelet-terminal-retry-after <t>',
      'a Failed machine is tried again after; 0: never',
      durationMs,
      1_800_000,
    )
    .option('--bootstrap-reboot-after <n>', 'failed set-ups before the one reboot; 0: never', wholeNumber, 3)
    .option('--bootstrap-max-attempts <n>', 'failed set-ups before the host goes back; 0: never', wholeNumber, 8)
    .option('--machine-max-concurrent-reconciles <n>', 'machines at once', wholeNumber, 4);
}

function processFlags(one: Command): Command {
  return one
    .option('--cluster-api', 'also run our subset of Cluster API core; never beside Cluster API itself', false)
    .option('--sweep-deadline <t>', 'what is deleting for longer is swept; the ledger says unless given', durationMs)
    .option('--no-leader-elect', 'only where there is never a second replica')
    .option('--leader-election-namespace <name>', 'where the lease is', 'pippin-system')
    .option('--health-probe-bind-address <address>', '/healthz and /readyz', ':8081')
    .option('--metrics-bind-address <address>', '/metrics', ':8080')
    .option('--scaleway-api-url <url>', 'another Scaleway, for tests')
    .option('--log-level <level>', 'debug, info, warn or error', 'info');
}

async function run(flags: Flags): Promise<void> {
  const halves = await halvesOf(flags);
  const [{ runManager }, seams] = await Promise.all([import('../fleet/halves.ts'), seamsFor(flags)]);
  await runManager({ ...seams, ...setupOf(flags), halves }, untilToldToEnd().signal);
}

async function seamsFor({ logLevel }: Flags): Promise<ManagerSeams> {
  const [{ systemClock }, { systemRandom }, { realKeys }, { systemLog }] = await Promise.all([
    import('../adapters/system/clock.ts'),
    import('../adapters/system/random.ts'),
    import('../adapters/keys/index.ts'),
    import('../adapters/system/log.ts'),
  ]);
  return { clock: systemClock, random: systemRandom, keys: realKeys, log: systemLog({ level: levelOf(logLevel) }) };
}

function setupOf(flags: Flags): Omit<ManagerSetup, keyof ManagerSeams | 'halves'> {
  return {
    cluster: { ...given({ kubeconfig: flags.kubeconfig, context: flags.context }), env: process.env },
    scope: given({ namespace: flags.namespace, watchFilter: flags.watchFilter }),
    clusterApi: flags.clusterApi ? 'ours' : 'elsewhere',
    election: flags.leaderElect ? { namespace: flags.leaderElectionNamespace } : 'off',
    healthAddress: flags.healthProbeBindAddress,
    metricsAddress: flags.metricsBindAddress,
    ...given({ webhookAddress: webhookAddressOf(flags) }),
  };
}

function webhookAddressOf({ controllers, webhookBindAddress: address }: Flags): string | undefined {
  const isNeeded = namesIn(controllers).some(name => name === 'metal' || name === 'ipam');
  return isNeeded && address !== 'off' ? address : undefined;
}

const namesIn = (controllers: string): readonly string[] => controllers.split(',').map(name => name.trim());

const HALVES = ['mac', 'metal', 'ipam'];

async function halvesOf(flags: Flags): Promise<ManagerHalves> {
  const names = namesIn(flags.controllers);
  const unknown = names.find(name => !HALVES.includes(name));
  if (unknown !== undefined) throw usageError(`--controllers takes ${HALVES.join(', ')}, not "${unknown}"`);
  return {
    ...(names.includes('mac') ? { mac: await macOf(flags) } : {}),
    ...(names.includes('metal') ? { metal: metalOf(flags) } : {}),
    ...(names.includes('ipam') ? { ipam: { coolDownMs: flags.addressCoolDown } } : {}),
  };
}

/** Upstream's flag and environment. */
function metalOf({ enableBmhNameBasedPreallocation }: Flags): ManagerHalves['metal'] & {} {
  return {
    hostNamedClaims: enableBmhNameBasedPreallocation,
    fastTrack: process.env.CAPM3_FAST_TRACK === 'true',
  };
}

async function macOf(flags: Flags): Promise<MacSetup> {
  const { tartArtifact: tart, agentArtifact: agent } = flags;
  if (tart === undefined) throw usageError('--tart-artifact is required when --controllers has mac');
  if (agent === undefined) throw usageError('--agent-artifact is required when --controllers has mac');
  const { SCW_ACCESS_KEY, SCW_SECRET_KEY, SCW_DEFAULT_PROJECT_ID } = process.env;
  return {
    scaleway: {
      accessKey: SCW_ACCESS_KEY ?? '',
      secretKey: SCW_SECRET_KEY ?? '',
      projectId: SCW_DEFAULT_PROJECT_ID ?? '',
      ...given({ apiUrl: flags.scalewayApiUrl }),
    },
    zones: flags.zones.split(','),
    settings: await settingsOf(flags),
    artifactFiles: { tart, agent },
    workers: flags.machineMaxConcurrentReconciles,
    ...given({ apiServerUrl: flags.apiServerUrl }),
    ...(flags.sweepDeadline === undefined ? {} : { sweepDeadlineSeconds: flags.sweepDeadline / 1000 }),
  };
}

async function settingsOf(flags: Flags): Promise<MacSetup['settings']> {
  const { USUAL_SETTINGS } = await import('../mac/world.ts');
  return {
    ...USUAL_SETTINGS,
    poolPrefix: flags.defaultAdoptPoolPrefix,
    hostCpu: flags.tartkubeletHostCpu,
    hostMemoryMb: flags.tartkubeletHostMemoryMb,
    maxPods: flags.tartkubeletMaxPods,
    guestCapacity: Math.max(1, flags.tartkubeletGuestCapacity),
    rebootAfter: flags.bootstrapRebootAfter,
    giveBackAfter: flags.bootstrapMaxAttempts,
    maxPushes: flags.tartkubeletMaxUpdateAttempts,
    retryFailedAfterMs: flags.tartkubeletTerminalRetryAfter,
    identity: flags.agentIdentity === 'service-account' ? 'service account' : 'certificate',
    accountRole: flags.nodeIdentityClusterRole,
  };
}

/** Only what was given. */
function given<T extends Readonly<Record<string, string | undefined>>>(flags: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}
