// Claims whose machine was removed by force: their finalizer goes once no host can still use their addresses (metal-c).

import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import type { KeyController, WokenBy } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { takeOff } from '../../kube/finalizers.ts';
import { hasFinalizer, isDeleting, type KubeObject, keyOf, labelOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { machinesBehind } from '../host/consumer.ts';
import { hostInUse, type MachineRef, remedyWithout } from '../host/in-use.ts';
import type { MetalWorld } from '../world.ts';

const RECHECK_MS = seconds(60);

export const orphanClaims: KeyController<MetalWorld> = {
  name: 'metal3-orphan-claim',
  kind: Metal3DataClaim,
  wokenBy: [
    // A claim bears its machine's name.
    { kind: Metal3Machine, keysFor: machine => [keyOf(machine)] },
    { kind: BareMetalHost, keysFor: host => machinesBehind(host as BareMetalHost) },
    claimsOfCluster(),
  ],
  reads: [Metal3Machine, BareMetalHost, Cluster],
  echoes: 'spared',
  heeds: isHeld,
  async pass(_key, object, world) {
    if (object === undefined || !isHeld(object)) return done();
    return free(object as Metal3DataClaim, world);
  },
};

/** Any other is nobody's to free. */
function isHeld(claim: KubeObject): boolean {
  return isDeleting(claim) && hasFinalizer(claim, METAL3_MACHINE_FINALIZER);
}

/** A Cluster that is resumed. */
function claimsOfCluster(): WokenBy<MetalWorld> {
  return {
    kind: Cluster,
    keysFor: ({ metadata }: KubeObject, { caches }) =>
      caches
        .of(Metal3DataClaim)
        .list(metadata.namespace)
        .filter(claim => isDeleting(claim) && labelOf(claim, CLUSTER_NAME_LABEL) === metadata.name)
        .map(keyOf),
  };
}

async function free(claim: Metal3DataClaim, world: MetalWorld): Promise<Outcome> {
  if (isBeingMoved(claim) || pausedBy(claim, clusterOf(claim, world)) !== undefined) return done(undefined, RECHECK_MS);
  const machine = machineOf(claim);
  if (!(await isGone({ kind: Metal3Machine, ...machine }, world))) return done();
  const used = hostInUse(machine, world);
  if (used !== undefined) {
    const what = `${used.left}: ${remedyWithout(machine.name)}`;
    world.events.warning(claim, 'HostInUse', what);
    return wait(refTo(BareMetalHost, used.host), what, RECHECK_MS);
  }
  await takeOff(world.api, Metal3DataClaim, claim, METAL3_MACHINE_FINALIZER);
  return done();
}

/** By UID, or, of a claim that has lost its owner, by name. */
function machineOf(claim: Metal3DataClaim): MachineRef {
  const { namespace = '', name } = claim.metadata;
  const [owner] = ownersOf(claim, Metal3Machine);
  return owner === undefined ? { namespace, name } : { namespace, name: owner.name, uid: owner.uid };
}
