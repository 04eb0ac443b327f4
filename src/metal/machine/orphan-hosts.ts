// Hosts whose machine was removed by force: an empty one is freed, and one that still runs something says what to do.

import { minutes } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_PAUSED_ANNOTATION } from '../../kinds/metal-wire.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KeyController } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { annotationOf, type KubeObject, keyOf, keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { unlabelBmcSecret } from '../host/bmc-secret.ts';
import { machineUsing } from '../host/consumer.ts';
import { hostsReservedFor } from '../host/hosts.ts';
import { remedyWithout, stillRuns } from '../host/in-use.ts';
import { freed } from '../host/release.ts';
import { writeHost } from '../host/write.ts';
import type { MetalWorld } from '../world.ts';
import { cachedMachine } from './machines.ts';

/** What is told is told again after this: events expire. */
const AGAIN_MS = minutes(5);

/** A move and a restored backup may bring a host before its machine. */
const ABSENT_MS = minutes(1);

export const orphanHosts: KeyController<MetalWorld> = {
  name: 'metal3-orphan-host',
  kind: BareMetalHost,
  wokenBy: [{ kind: Metal3Machine, keysFor: hostsLeftBy }],
  reads: [Metal3Machine, Cluster],
  heeds: host => machineUsing(host as BareMetalHost) !== undefined,
  async pass(_key, object, world) {
    const host = object as BareMetalHost | undefined;
    const user = host === undefined ? undefined : machineUsing(host);
    if (host === undefined || user === undefined || cachedMachine(user, world) !== undefined) return done();
    if (isLeftAlone(host, world)) return done(undefined, AGAIN_MS);
    return look(host, user, world);
  },
};

/** While its machine is there the host is looked after. */
function hostsLeftBy(machine: KubeObject, world: MetalWorld): readonly ObjectKey[] {
  return cachedMachine(keyOf(machine), world) === undefined ? hostsReservedFor(keyOf(machine), world).map(keyOf) : [];
}

function isLeftAlone(host: BareMetalHost, world: MetalWorld): boolean {
  const isFrozen = annotationOf(host, HOST_PAUSED_ANNOTATION) !== undefined;
  return isFrozen || isBeingMoved(host) || pausedBy(host, clusterOf(host, world)) !== undefined;
}

async function look(host: BareMetalHost, user: ObjectKey, world: MetalWorld): Promise<Outcome> {
  const on = { kind: Metal3Machine, ...user };
  if (!(await isGone(on, world))) return done();
  const leftMs = ABSENT_MS - absentMs(user, world);
  if (leftMs > 0) {
    const what = `Metal3Machine ${user.name}, for which this host is reserved, to come`;
    return wait({ port: 'time', subject: 'absence' }, what, leftMs);
  }
  const left = stillRuns(host);
  if (left !== undefined) return told(host, `${left}: ${remedyWithout(user.name)}`, world);
  // Only what a reservation of ours has put on it tells that the machine was there: a person may reserve ahead.
  const cluster = labelOf(host, CLUSTER_NAME_LABEL);
  if (cluster === undefined) {
    return told(
      host,
      `It is reserved for Metal3Machine ${user.name}, which is not there: take spec.consumerRef off`,
      world,
    );
  }
  await unlabelBmcSecret(host, cluster, world);
  const written = await writeHost(host, freed(host, { metadata: user }, undefined), world);
  if (written === undefined) return wait(refTo(BareMetalHost, host), 'what has changed of it', AGAIN_MS);
  world.events.normal(host, 'Freed', `Metal3Machine ${user.name}, for which it was reserved, was removed by force`);
  return done();
}

function told(host: BareMetalHost, what: string, { events }: MetalWorld): Outcome {
  events.warning(host, 'ConsumerGone', what);
  return done(undefined, AGAIN_MS);
}

const absences = new WeakMap<Informer<Metal3Machine>, Map<string, number>>();

/** Since when machines are seen to be absent, each until it comes. */
function absencesIn({ caches }: MetalWorld): Map<string, number> {
  const machines = caches.of(Metal3Machine);
  const before = absences.get(machines);
  if (before !== undefined) return before;
  const since = new Map<string, number>();
  machines.onChange(({ type, object }) => {
    if (type !== 'deleted') since.delete(keyText(keyOf(object)));
  });
  absences.set(machines, since);
  return since;
}

/** Since this process saw it so, by its own clock: a restart begins anew (safe-21, safe-22). */
function absentMs(machine: ObjectKey, world: MetalWorld): number {
  const since = absencesIn(world);
  const nowMs = world.clock.monotonic();
  const sinceMs = since.get(keyText(machine)) ?? nowMs;
  since.set(keyText(machine), sinceMs);
  return nowMs - sinceMs;
}
