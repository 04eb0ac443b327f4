// Claims of one kind, keyed by claim so that each one's error is its own: served while they stay, let go of when they go.

import { quietController } from '../../deletion/quiet-controller.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import type { Kind } from '../../kube/kind.ts';
import { hasFinalizer, isDeleting, type KubeObject } from '../../kube/object.ts';
import type { Runnable } from '../../kube/run.ts';
import { books, poolKeyOf } from '../allocation/books.ts';
import type { IpamWorld } from '../world.ts';
import type { Dialect } from './dialect.ts';
import { pauseOf } from './paused.ts';
import { releaseClaim } from './release.ts';
import { serveClaim, type Wake } from './serving.ts';
import { claimWakers } from './waking.ts';

/** Of Cluster API's claims those on our pools, and whatever has our finalizer and is to go. */
function isOurs(dialect: Dialect, claim: KubeObject): boolean {
  if (dialect.claim.group === IPPool.group || dialect.poolOf(claim) !== undefined) return true;
  return isDeleting(claim) && hasFinalizer(claim, dialect.claimFinalizer);
}

/** `others`: kinds whose holders of addresses have to be known as well. */
export function claimController(name: string, dialect: Dialect, others: readonly Dialect[] = []): Runnable<IpamWorld> {
  let wake: Wake = () => undefined;
  const read: Kind[] = [dialect.address, ...others.flatMap(other => [other.claim, other.address])];
  return quietController<KubeObject, IpamWorld>({
    name,
    kind: dialect.claim,
    condition: 'Ready',
    concerns: claim => isOurs(dialect, claim),
    wokenBy: claimWakers(dialect),
    reads: [...read, IPPool, Cluster],
    wakes: (world, waken) => {
      wake = waken;
      for (const each of [dialect, ...others]) books(world).include(each);
    },
    workers: 16,
    echoes: 'spared',
    pausedBy: (claim, world) => pauseOf(claim, poolKeyOf(dialect, claim), world),
    keep: (subject, world) => serveClaim(dialect, subject, world, wake),
    takeApart: (subject, world) => releaseClaim(dialect, subject, world),
  });
}
