// Which controllers make which program: the Mac provider's manager, and what a bare API needs to be a cluster.

import { seconds } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Keys } from '../base/keys.ts';
import type { NodesElsewhere } from '../builtin/capi/machine/node-source.ts';
import { type BuiltinOptions, builtinControllers, type CapiOptions, capiControllers } from '../builtin/index.ts';
import { clusterUidOf } from '../deletion/cluster.ts';
import { AbsenceJournal } from '../deletion/journal.ts';
import { type SweepOptions, sweep } from '../deletion/sweep.ts';
import { Metal3Cluster } from '../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../kinds/generated/metal3-machine.generated.ts';
import { ScalewayAppleSiliconMachine } from '../kinds/generated/scaleway-apple-silicon-machine.generated.ts';
import { TuistCluster } from '../kinds/generated/tuist-cluster.generated.ts';
import type { KubeWorld } from '../kube/controller.ts';
import type { Kind } from '../kube/kind.ts';
import { keyController, type Runnable, runControllers } from '../kube/run.ts';
import type { Identity } from '../kube/transport.ts';
import type { Artifacts } from '../mac/artifacts.ts';
import type { MacCloud } from '../mac/cloud.ts';
import type { HostShell } from '../mac/host-shell.ts';
import { type MacControllerOptions, macControllers } from '../mac/index.ts';
import { AttemptTimes } from '../mac/machine/attempts.ts';
import { OneAtATime } from '../mac/machine/one-at-a-time.ts';
import { cleanStartOf, releaseOf } from '../mac/machine/release-record.ts';
import type { MachineHost } from '../mac/pods/binding.ts';
import { cloudWitness } from '../mac/pods/cloud-witness.ts';
import { type VmGoneWorld, vmGone } from '../mac/pods/vm-gone.ts';
import type { MacSettings, MacWorld } from '../mac/world.ts';
import type { WorkloadClusters } from '../metal/workload/port.ts';
import { ledger } from './ledger.ts';
import { type Reach, reaching } from './reach.ts';

/** Controllers that run until the signal aborts; resolves once all have stopped. */
export type Program = (signal: AbortSignal) => Promise<void>;

export interface MacManagerOptions {
  readonly world: KubeWorld;
  readonly cloud: MacCloud;
  readonly shell: HostShell;
  readonly keys: Keys;
  readonly artifacts: Artifacts;
  readonly settings: MacSettings;
  /** The project whose servers are ours (safe-2). */
  readonly projectId: string;
  /** Zones that may hold a Mac of ours, besides those of the machines. */
  readonly zones: readonly string[];
  readonly workers?: MacControllerOptions['workers'];
  readonly sweep?: Partial<Pick<SweepOptions<never>, 'deadlineSeconds' | 'recheckSeconds'>>;
}

type ManagerWorld = MacWorld & VmGoneWorld;

/** The Mac provider's controllers and the sweep. */
export function macManager(options: MacManagerOptions): Program {
  return async signal => {
    const startedAtMs = options.world.clock.monotonic();
    const clusterUid = await clusterUidAtStart(options.world, signal);
    if (clusterUid === undefined) return;
    const { workers } = options;
    const controllers: readonly Runnable<ManagerWorld>[] = [
      ...macControllers(workers === undefined ? {} : { workers }),
      ...sweep<ManagerWorld>({ rows: ledger, provers: [vmGone], startedAtMs, ...options.sweep }).map(keyController),
    ];
    await runControllers(managerWorld(options, clusterUid), controllers, signal);
  };
}

const UID_RETRY_MS = seconds(1);

/** safe-1: every later answer must come from the cluster that answers now. Undefined when the signal came first. */
async function clusterUidAtStart({ api, clock, log }: KubeWorld, signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    try {
      return await clusterUidOf(api);
    } catch (error) {
      log.warn('The cluster cannot be identified yet; it is asked again', { error: messageOf(error) });
      await clock.sleep(UID_RETRY_MS, signal).catch(() => undefined);
    }
  }
  return undefined;
}

function managerWorld(options: MacManagerOptions, clusterUid: string): ManagerWorld {
  const { world, cloud, projectId } = options;
  const { shell, keys, artifacts, settings } = options;
  const zones = (): readonly string[] => [...new Set([...options.zones, ...zonesOfMachines(world)])];
  return {
    ...world,
    cloud,
    shell,
    keys,
    artifacts,
    settings,
    witness: cloudWitness({ cloud, zones, projectId }),
    journal: new AbsenceJournal(world.clock),
    adoptions: new OneAtATime(),
    attempts: new AttemptTimes(world.clock),
    machineHosts: () => machineHosts(world),
    clusterUid,
  };
}

const zonesOfMachines = ({ caches }: KubeWorld): readonly string[] =>
  caches
    .of(ScalewayAppleSiliconMachine)
    .list()
    .flatMap(({ spec }) => (spec?.zone === undefined ? [] : [spec.zone]));

/** Live and complete, or it throws (safe-3). */
async function machineHosts({ api }: KubeWorld): Promise<readonly MachineHost[]> {
  const { items } = await api.list(ScalewayAppleSiliconMachine);
  return items.map(machine => ({
    machine,
    providerId: machine.spec?.providerID,
    released: releaseOf(machine),
    cleanStart: cleanStartOf(machine),
  }));
}

/** How the workload clusters of bare-metal fleets are reached; left out, their Nodes are looked for in this cluster. */
type ClusterApiOptions = Pick<CapiOptions, 'timing'> &
  (Reach | { readonly [Way in keyof Reach]?: undefined }) & {
    /** Whose kinds wake it at once; they must be served. The Mac provider's unless told otherwise. */
    readonly providers?: readonly (keyof typeof PROVIDER_KINDS)[];
  };

export interface ClusterControllersOptions {
  readonly world: KubeWorld;
  /** What Kubernetes itself does on a real cluster; left out there. */
  readonly kubernetes?: BuiltinOptions;
  /** Our subset of Cluster API core; left out where Cluster API itself runs. */
  readonly clusterApi?: ClusterApiOptions;
  /** In process: under which identity each controller writes. Left out: all under the world's. */
  readonly actingAs?: (controller: string) => Identity;
  /** Names of controllers that are not started, as `--controllers=*,-NAME` of kube-controller-manager. */
  readonly without?: readonly string[];
}

/** What a bare API needs to be a cluster. */
export function clusterControllers(options: ClusterControllersOptions): Program {
  const { clusterApi: reach } = options;
  if (reach?.dial === undefined && reach?.workload === undefined) return signal => runCluster(options, {}, signal);
  return signal =>
    reaching(reach, options.world, workload => runCluster(options, { nodesElsewhere: elsewhere(workload) }, signal));
}

function runCluster(
  { world, ...options }: ClusterControllersOptions,
  there: Pick<CapiOptions, 'nodesElsewhere'>,
  signal: AbortSignal,
): Promise<void> {
  const { kubernetes, clusterApi, actingAs, without = [] } = options;
  const all = [
    ...(kubernetes === undefined ? [] : builtinControllers(kubernetes)),
    ...(clusterApi === undefined ? [] : capiControllers({ ...clusterApi, ...kindsOf(clusterApi.providers), ...there })),
  ];
  const controllers = all.filter(({ name }) => !without.includes(name));
  const acting = actingAs === undefined ? controllers : controllers.map(each => actingOn(each, actingAs(each.name)));
  return runControllers(world, acting, signal);
}

/** The Nodes of a bare-metal Cluster are in the cluster that its machines make. */
const elsewhere = (workload: WorkloadClusters): NodesElsewhere => ({
  isFor: ({ spec }) => spec?.infrastructureRef?.kind === Metal3Cluster.kind,
  of: cluster => workload.of(cluster),
  onChange: listener => workload.onChange(listener),
});

const PROVIDER_KINDS = {
  mac: { machineKinds: [ScalewayAppleSiliconMachine], clusterKinds: [TuistCluster] },
  metal: { machineKinds: [Metal3Machine], clusterKinds: [Metal3Cluster] },
} as const;

function kindsOf(
  providers: readonly (keyof typeof PROVIDER_KINDS)[] = ['mac'],
): Pick<CapiOptions, 'machineKinds' | 'clusterKinds'> {
  return {
    machineKinds: providers.flatMap((each): readonly Kind[] => PROVIDER_KINDS[each].machineKinds),
    clusterKinds: providers.flatMap((each): readonly Kind[] => PROVIDER_KINDS[each].clusterKinds),
  };
}

/** Reads come from the shared caches, calls are made in the controller's own name. */
function actingOn(runnable: Runnable<KubeWorld>, identity: Identity): Runnable<KubeWorld> {
  return {
    name: runnable.name,
    start: (world, signal) => runnable.start({ ...world, api: world.api.as(identity) }, signal),
  };
}
