// MachineHealthChecks: say which machines are unhealthy, and ask their owners to replace them while it is not too many.

import { millisOf } from '../../../base/clock.ts';
import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineHealthCheck } from '../../../kinds/generated/machine-health-check.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import { type Api, refTo } from '../../../kube/api.ts';
import type { Informer } from '../../../kube/cache.ts';
import { conditionOf } from '../../../kube/conditions.ts';
import type { KubeWorld, Step, StepController } from '../../../kube/controller.ts';
import { Node } from '../../../kube/core/node.ts';
import { annotationOf, isDeleting, keyOf, type ObjectKey } from '../../../kube/object.ts';
import { type Change, done, wait } from '../../../kube/outcome.ts';
import { selects } from '../../selectors.ts';
import { machinesOfCluster, machinesOfNode } from '../machine/machines.ts';
import { nodeOf } from '../machine/node.ts';
import { type NodesElsewhere, nodesFor } from '../machine/node-source.ts';
import { SKIP_REMEDIATION } from '../names.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { clusterOf, isPaused } from '../pause.ts';
import type { ProviderReference } from '../provider/references.ts';
import { healthRulesOf, repairTemplateOf } from '../spelling.ts';
import { healthOf, type NodeSight } from './judgement.ts';
import { allowanceFor } from './limit.ts';
import { askForRepair, endRepair, wantingForRepair } from './repair.ts';
import { type Judged, writeVerdict } from './verdict.ts';

export interface HealthCheckOptions {
  /** Nothing is replaced for so long after the start: what looks unhealthy may be our own absence (safe-22). */
  readonly quietStartMs: number;
  readonly recheckMs: number;
  /** Left out: every Cluster's Nodes are in this cluster. */
  readonly nodesElsewhere?: NodesElsewhere;
}

export function machineHealthCheckController(
  options: HealthCheckOptions,
): StepController<MachineHealthCheck, KubeWorld> {
  return {
    name: 'machinehealthcheck',
    kind: MachineHealthCheck,
    wokenBy: [
      { kind: Machine, keysFor: (machine, world) => checksOf(machine as Machine, world) },
      {
        kind: Node,
        keysFor: (node, world) => machinesOfNode(node, world).flatMap(key => checksOfKey(key, world)),
      },
      { kind: Cluster, keysFor: ({ metadata }, world) => checksIn(metadata.namespace ?? '', metadata.name, world) },
    ],
    reads: [Machine, Node, Cluster],
    inOrder: [remediation(options)],
    paused: isPaused,
  };
}

const checksIn = (namespace: string, clusterName: string, world: KubeWorld): readonly ObjectKey[] =>
  world.caches
    .of(MachineHealthCheck)
    .list(namespace)
    .filter(check => check.spec.clusterName === clusterName)
    .map(keyOf);

const checksOf = ({ metadata, spec }: Machine, world: KubeWorld): readonly ObjectKey[] =>
  checksIn(metadata.namespace ?? '', spec.clusterName, world);

function checksOfKey(key: ObjectKey, world: KubeWorld): readonly ObjectKey[] {
  const machine = world.caches.of(Machine).get(key);
  return machine === undefined ? [] : checksOf(machine, world);
}

function remediation(options: HealthCheckOptions): Step<MachineHealthCheck, KubeWorld> {
  let startedMs: number | undefined;
  return {
    condition: 'RemediationAllowed',
    run: async (check, world) => {
      startedMs ??= world.clock.monotonic();
      const quietMs = startedMs + options.quietStartMs - world.clock.monotonic();
      if (quietMs > 0) {
        const time = { port: 'time', subject: 'quiet start' };
        return wait(time, 'the quiet time after a start to end', quietMs, { reason: 'QuietStart' });
      }
      await belong(check, world);
      const judged = await judge(check, world, options.nodesElsewhere);
      const unhealthy = judged.filter(({ health }) => health.kind === 'unhealthy');
      const allowance = allowanceFor(healthRulesOf(check.spec), judged.length, unhealthy.length);
      const template = repairTemplateOf(check.spec);
      for (const one of judged) await treat(one, { isAllowed: allowance.isAllowed, template }, world);
      const change = statusOf(check, judged, allowance.remaining);
      if (!allowance.isAllowed) {
        const what = `fewer unhealthy machines: ${allowance.why}`;
        return wait(refTo(MachineHealthCheck, check), what, options.recheckMs, { reason: 'TooManyUnhealthy', change });
      }
      return done(change, nextLookMs(judged, options));
    },
  };
}

interface Treatment {
  readonly isAllowed: boolean;
  /** Undefined: its owner replaces an unhealthy machine. */
  readonly template: ProviderReference | undefined;
}

/** That a repair is asked for is on record before it is, and until its end was asked for: a crash loses neither. */
async function treat(one: Judged, { isAllowed, template }: Treatment, world: KubeWorld): Promise<void> {
  const { machine, health } = one;
  if (template === undefined || !isAllowed) {
    await writeVerdict(one, isAllowed ? 'replace' : 'keep', world);
    return;
  }
  if (health.kind === 'healthy') await endRepair(machine, template, world);
  const wanting = health.kind === 'unhealthy' ? await wantingForRepair(machine, template, world) : undefined;
  await writeVerdict(one, { repairWants: wanting }, world);
  if (health.kind === 'unhealthy' && wanting === undefined) await askForRepair(machine, template, world);
}

async function belong(check: MachineHealthCheck, world: KubeWorld): Promise<void> {
  const cluster = clusterOf(check, world);
  if (cluster === undefined) return;
  const labels = { [CLUSTER_NAME_LABEL]: check.spec.clusterName };
  await ensureBelongs(MachineHealthCheck, check, { owner: ownerReference(Cluster, cluster, 'owner'), labels }, world);
}

/** Every machine that the selector names, of those that a check may touch at all. */
async function judge(
  check: MachineHealthCheck,
  world: KubeWorld,
  elsewhere: NodesElsewhere | undefined,
): Promise<readonly Judged[]> {
  const rules = healthRulesOf(check.spec);
  const cluster = clusterOf(check, world);
  const judged: Judged[] = [];
  for (const machine of targetsOf(check, world)) {
    const there = nodesFor(machine, world, elsewhere);
    // Of Nodes in a cluster that is not known nothing is known: nobody is called unhealthy for that (metal-W4).
    if (!there.known) continue;
    const node = await sightOf(machine, there.nodes, there.api);
    const subject = { machine, node, startedMs: startOf(machine, cluster) };
    judged.push({ machine, health: healthOf(subject, rules, world.clock.now()) });
  }
  return judged;
}

function targetsOf(check: MachineHealthCheck, world: KubeWorld): readonly Machine[] {
  const { namespace = '' } = check.metadata;
  return machinesOfCluster(namespace, check.spec.clusterName, world)
    .filter(machine => selects(check.spec.selector ?? {}, machine.metadata.labels ?? {}))
    .filter(machine => !isDeleting(machine) && !isPaused(machine, world))
    .filter(machine => annotationOf(machine, SKIP_REMEDIATION) === undefined);
}

async function sightOf(machine: Machine, nodes: Informer<Node>, api: Api): Promise<NodeSight> {
  const node = nodeOf(machine, nodes);
  if (node !== undefined) return { kind: 'found', node };
  const name = machine.status?.nodeRef?.name;
  if (name === undefined) return { kind: 'none' };
  const live = await api.find(Node, { name });
  // A Node of that name with another provider id is another host's: ours is gone all the same.
  if (live === undefined || live.spec?.providerID !== machine.spec.providerID) return { kind: 'gone' };
  return { kind: 'found', node: live };
}

/** A machine can have no Node before its Cluster has its infrastructure and a control plane. */
function startOf(machine: Machine, cluster: Cluster | undefined): number {
  const moments = ['InfrastructureReady', 'ControlPlaneInitialized'].map(type => {
    const condition = cluster === undefined ? undefined : conditionOf(cluster, type);
    return condition?.status === 'True' ? millisOf(condition.lastTransitionTime) : 0;
  });
  return Math.max(millisOf(machine.metadata.creationTimestamp), ...moments);
}

function statusOf(check: MachineHealthCheck, judged: readonly Judged[], remediationsAllowed: number): Change {
  return {
    status: {
      observedGeneration: check.metadata.generation,
      expectedMachines: judged.length,
      currentHealthy: judged.filter(({ health }) => health.kind === 'healthy').length,
      remediationsAllowed,
      targets: judged.map(({ machine }) => machine.metadata.name).sort(),
    },
  };
}

function nextLookMs(judged: readonly Judged[], { recheckMs }: HealthCheckOptions): number {
  const times = judged.flatMap(({ health }) => (health.kind === 'unhealthy' ? [] : [health.againMs ?? recheckMs]));
  return Math.max(1, Math.min(recheckMs, ...times));
}
