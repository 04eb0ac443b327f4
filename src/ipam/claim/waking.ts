// What wakes a claim: its address going, its pool changing in what matters, and the pause of its Cluster or pool.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { CLUSTER_NAME_LABEL, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { changedBesidesStatus } from '../../kube/besides-status.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { WokenBy } from '../../kube/controller.ts';
import { annotationOf, isDeleting, type KubeObject, keyOf, labelOf, type ObjectKey } from '../../kube/object.ts';
import { books, standingOf } from '../allocation/books.ts';
import { clusterOfPool } from '../pool/membership.ts';
import type { IpamWorld } from '../world.ts';
import type { Dialect } from './dialect.ts';

export function claimWakers(dialect: Dialect): readonly WokenBy<IpamWorld>[] {
  return [
    { kind: dialect.address, keysFor: (address, world) => claimOfGoing(dialect, address, world) },
    {
      kind: IPPool,
      keysFor: (pool, world) => claimsSurprised(dialect, pool as IPPool, world),
      matters: changedBesidesStatus,
    },
    { kind: Cluster, keysFor: (cluster, world) => claimsPausedOtherwise(dialect, cluster as Cluster, world) },
  ];
}

/** An address that stays needs nothing of its claim. */
function claimOfGoing(dialect: Dialect, address: KubeObject, { caches }: IpamWorld): readonly ObjectKey[] {
  const { namespace = '' } = address.metadata;
  const name = dialect.heldBy(address)?.claim ?? '';
  if (name === '') return [];
  const claim = caches.of(dialect.claim).get({ namespace, name });
  if (claim === undefined) return [];
  const isThere = caches.of(dialect.address).get(keyOf(address)) !== undefined && !isDeleting(address);
  const isSaid = dialect.boundName(claim) === address.metadata.name;
  return isThere && isSaid ? [] : [{ namespace, name }];
}

function claimsSurprised(dialect: Dialect, pool: IPPool, world: IpamWorld): readonly ObjectKey[] {
  const known = books(world);
  const { claim } = dialect;
  const waiters = known.of(keyOf(pool)).waiting.surprisedBy(standingOf(pool));
  const isPaused = annotationOf(pool, PAUSED_ANNOTATION) !== undefined || isOfPausedCluster(pool, world);
  const otherwise = isPaused
    ? known.claimsOf(dialect, keyOf(pool)).filter(each => !isTrue(each, 'Paused'))
    : known.pausedClaimsOf(dialect, keyOf(pool));
  return [...waiters.filter(waiter => waiter.kind === claim.kind).map(({ key }) => key), ...otherwise.map(keyOf)];
}

const isOfPausedCluster = (pool: IPPool, world: IpamWorld): boolean =>
  clusterOfPool(pool, world)?.spec?.paused === true;

/** Those of the Cluster, and those of its pools. */
function claimsPausedOtherwise(dialect: Dialect, cluster: Cluster, world: IpamWorld): readonly ObjectKey[] {
  const { name, namespace } = cluster.metadata;
  const isPaused = cluster.spec?.paused === true;
  const claims = world.caches.of(dialect.claim).list(namespace);
  const isOf = (claim: KubeObject): boolean => {
    if (labelOf(claim, CLUSTER_NAME_LABEL) === name) return true;
    const pool = world.caches.of(IPPool).get({ namespace: namespace ?? '', name: dialect.poolOf(claim)?.name ?? '' });
    return pool !== undefined && (pool.spec?.clusterName ?? labelOf(pool, CLUSTER_NAME_LABEL)) === name;
  };
  return claims.filter(claim => isTrue(claim, 'Paused') !== isPaused && isOf(claim)).map(keyOf);
}
