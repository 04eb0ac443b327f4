// Hosts that are kept off by a remediation that is no more: moved to another cluster, or robbed of its finalizer.

import { minutes } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { keyOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { powerOffUids } from './names.ts';
import { hostsKeptOff, hostsKeptOffBy, letOneOn } from './power.ts';
import { remediationOfUid } from './remediations.ts';

const RECHECK_MS = minutes(5);

/** The owner's controller lets its host on; this proves with a live read that there is no owner (metal-c, metal-B7). */
export const metal3RemediationOrphans: KeyController<KubeWorld> = {
  name: 'metal3-remediation-orphans',
  kind: BareMetalHost,
  wokenBy: [
    {
      kind: Metal3Remediation,
      keysFor: ({ metadata: { uid = '' } }, world) =>
        remediationOfUid(uid, world) === undefined ? hostsKeptOffBy(uid, world).map(keyOf) : [],
    },
    { kind: Cluster, keysFor: ({ metadata }, world) => hostsKeptOff(metadata.namespace ?? '', world).map(keyOf) },
  ],
  reads: [Metal3Remediation, Cluster],
  async pass(_, object, world) {
    const host = object as BareMetalHost | undefined;
    if (host === undefined || isBeingMoved(host)) return done();
    const orphaned = powerOffUids(host.metadata.annotations).filter(uid => remediationOfUid(uid, world) === undefined);
    return orphaned.length === 0 ? done() : release(host, orphaned, world);
  },
};

async function release(host: BareMetalHost, uids: readonly string[], world: KubeWorld): Promise<Outcome> {
  const cluster = clusterOf(host, world);
  if (pausedBy(host, cluster) !== undefined) {
    const on = cluster === undefined ? { kind: BareMetalHost, ...keyOf(host) } : { kind: Cluster, ...keyOf(cluster) };
    return wait(on, `BareMetalHost ${host.metadata.name} to be paused no more`, RECHECK_MS);
  }
  const { namespace = '' } = host.metadata;
  const { items } = await world.api.list(Metal3Remediation, { namespace });
  const known = new Set(items.map(({ metadata }) => metadata.uid));
  for (const uid of uids.filter(each => !known.has(each))) {
    await letOneOn(uid, host, world);
    world.events.warning(
      host,
      'RemediationGone',
      `It was kept off by a Metal3Remediation that is no more (UID ${uid})`,
    );
  }
  return done();
}
