// Freezes the hosts of a paused Cluster, so that they can be moved, and thaws them; frees those kept for a Cluster that is gone.

import { millisOf, minutes, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { NODE_REUSE_LABEL } from '../../kinds/metal-wire.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { refTo } from '../../kube/api.ts';
import type { KeyController } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { isConflict } from '../../kube/errors.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { clusterKeeping, machineUsing } from '../host/consumer.ts';
import { frozen, thawed } from '../host/freeze.ts';
import { hostsKeptBy, recordedHost } from '../host/hosts.ts';
import { type HostChange, missingIn, writeHost } from '../host/write.ts';
import type { MetalWorld } from '../world.ts';
import { cachedMachine, clusterOfMachine, machinesOfCluster } from './machines.ts';
import { possibleHosts } from './own-host.ts';

const RECHECK_MS = seconds(30);

/** A host that has just come may be ahead of its Cluster: clusterctl creates both at once. */
const NEWCOMER_MS = minutes(1);

export const hostPause: KeyController<MetalWorld> = {
  name: 'metal3-host-pause',
  kind: BareMetalHost,
  wokenBy: [
    {
      kind: Cluster,
      keysFor: (cluster, world) => [
        ...hostsKeptBy(keyOf(cluster), world).map(keyOf),
        ...machinesOfCluster(keyOf(cluster), world).flatMap(machine => possibleHosts(machine, world)),
      ],
    },
    { kind: Metal3Machine, keysFor: (machine, world) => possibleHosts(machine as Metal3Machine, world) },
  ],
  reads: [Metal3Machine, Machine, Cluster],
  async pass(_key, object, world) {
    if (object === undefined || isBeingMoved(object)) return done();
    const host = object as BareMetalHost;
    const keeper = clusterKeeping(host);
    if (keeper !== undefined) return freeKept(host, keeper, world);
    const user = machineUsing(host);
    const machine = user === undefined ? undefined : cachedMachine(user, world);
    if (machine === undefined || isBeingMoved(machine) || !isOnRecord(host, machine)) return done();
    return ensure(host, machine, world);
  },
};

/** A host that only names the machine may be an earlier one's (metal-G14). */
function isOnRecord(host: BareMetalHost, machine: Metal3Machine): boolean {
  const recorded = recordedHost(machine);
  return recorded !== undefined && keyText(recorded) === keyText(keyOf(host));
}

/** While the Cluster is not known nothing is concluded: in a move it may come later than its hosts. */
async function ensure(host: BareMetalHost, machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const cluster = clusterOfMachine(machine, world);
  if (cluster === undefined) return done();
  if (cluster.spec?.paused === true) return write(host, frozen(host), { machine, world, verb: 'Set' });
  if (pausedBy(machine, cluster) !== undefined) return done();
  return write(host, thawed(host), { machine, world, verb: 'Remove' });
}

interface About {
  readonly machine: Metal3Machine;
  readonly world: MetalWorld;
  readonly verb: 'Set' | 'Remove';
}

/** A failure is told on the machine, under upstream's name, and tried again (metal-7.21). */
async function write(host: BareMetalHost, change: HostChange, { machine, world, verb }: About): Promise<Outcome> {
  const missing = missingIn(host, change);
  if (missing === undefined) return done();
  try {
    const written = await writeHost(host, missing, world);
    return written === undefined ? wait(refTo(BareMetalHost, host), 'what has changed of it', RECHECK_MS) : done();
  } catch (error) {
    if (!isConflict(error)) {
      const message = `BareMetalHost ${host.metadata.name}: ${messageOf(error)}`;
      world.events.warning(machine, `BareMetalHostPauseAnnotation${verb}Failed`, message);
    }
    throw error;
  }
}

/** Nobody will come for it any more (node reuse ends with the Cluster). */
async function freeKept(host: BareMetalHost, cluster: ObjectKey, world: MetalWorld): Promise<Outcome> {
  const on = { kind: Cluster, ...cluster };
  if (world.clock.now() - millisOf(host.metadata.creationTimestamp) < NEWCOMER_MS) {
    return wait(on, `Cluster ${cluster.name}, for which this host is kept`, RECHECK_MS);
  }
  if (!(await isGone(on, world))) return done();
  const change = { metadata: { labels: { [NODE_REUSE_LABEL]: null } }, spec: { consumerRef: null } };
  const written = await writeHost(host, change, world);
  return written === undefined ? wait(on, 'what has changed of the host', RECHECK_MS) : done();
}
