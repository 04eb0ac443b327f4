// Addresses: one that somebody deletes goes once its claim is not using it as it is, and one of nobody goes by itself.

import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import { changedBesidesStatus } from '../../kube/besides-status.ts';
import { isGone, noteDepartures } from '../../kube/departed.ts';
import { letGo, takeOff } from '../../kube/finalizers.ts';
import { hasFinalizer, isDeleting, type KubeObject, keyOf, labelOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { keyController, type Runnable } from '../../kube/run.ts';
import { books } from '../allocation/books.ts';
import type { Dialect } from '../claim/dialect.ts';
import { isOwn } from '../claim/own-addresses.ts';
import { pauseOf } from '../claim/paused.ts';
import type { IpamWorld } from '../world.ts';
import { claimed, isLost, isMarkedLost, keepLost } from './lost-claim.ts';

const RECHECK_MS = seconds(30);
const PAUSED_RECHECK_MS = minutes(10);

export const addressController = (name: string, dialect: Dialect): Runnable<IpamWorld> =>
  keyController<IpamWorld>({
    name,
    kind: dialect.address,
    wokenBy: [
      { kind: dialect.claim, keysFor: (claim, world) => addressesOfGoing(dialect, claim, world) },
      { kind: Cluster, keysFor: (cluster, world) => unsettledOfCluster(dialect, cluster, world) },
      {
        kind: IPPool,
        keysFor: (pool, world) => unsettledOfPool(dialect, pool, world),
        matters: changedBesidesStatus,
      },
    ],
    reads: [dialect.claim, IPPool, Cluster],
    wakes: world => {
      books(world).include(dialect);
      noteDepartures(dialect.claim, world);
    },
    workers: 8,
    heeds: address => hasFinalizer(address, dialect.addressFinalizer),
    echoes: 'spared',
    pass: async (_key, address, world) => (address === undefined ? done() : look(dialect, address, world)),
  });

/** Only what bears our finalizer, of a pool of ours: an address that somebody made by hand keeps another from having it. */
async function look(dialect: Dialect, address: KubeObject, world: IpamWorld): Promise<Outcome> {
  const held = dialect.heldBy(address);
  if (held === undefined || isBeingMoved(address) || !hasFinalizer(address, dialect.addressFinalizer)) return done();
  const { namespace = '' } = address.metadata;
  if (pauseOf(address, { namespace, name: held.pool }, world) !== undefined) return done(undefined, PAUSED_RECHECK_MS);

  const key = { namespace, name: held.claim };
  const claim = held.claim === '' ? undefined : world.caches.of(dialect.claim).get(key);
  if (claim !== undefined && isOwn(dialect, claim, address)) return lookWithClaim(dialect, address, claim, world);
  if (await isNobodys(dialect, address, key, world)) {
    const kept = await keepLost(dialect, address, { isServed: isServed(address, held.pool, world) }, world);
    if (kept !== undefined) return kept;
    await letGo(world.api, dialect.address, address, dialect.addressFinalizer);
    return done();
  }
  return wait({ kind: dialect.claim, ...key }, 'what its claim does', RECHECK_MS);
}

/**
 * A claim that stays has it made again (metal-S16), once its status names it and so keeps it from all others; one that is
 * being deleted lets go of it itself, in its own time.
 */
async function lookWithClaim(
  dialect: Dialect,
  address: KubeObject,
  claim: KubeObject,
  world: IpamWorld,
): Promise<Outcome> {
  if (isDeleting(address) && !isDeleting(claim)) {
    const pool = dialect.heldBy(address)?.pool ?? '';
    // Live as well: who deletes all at once deletes the pool a moment before, and a cache may not show it yet.
    const isServing = isServed(address, pool, world) && (await isServedNow(address, pool, world));
    if (!isServing) return whileClaimed(dialect, address, { claim, pool }, world);
    if (dialect.boundName(claim) === undefined)
      return wait(refTo(dialect.claim, claim), 'its claim to name it', RECHECK_MS);
    await takeOff(world.api, dialect.address, address, dialect.addressFinalizer);
  } else if (isMarkedLost(address) && !isDeleting(address)) await claimed(dialect, claim, address, world);
  return done();
}

/** Its pool is going, or gone, and would not make it again: what the claim's user runs with would be held by nobody. */
function whileClaimed(
  dialect: Dialect,
  address: KubeObject,
  { claim, pool }: { readonly claim: KubeObject; readonly pool: string },
  { events }: IpamWorld,
): Outcome {
  const what = `${dialect.claim.kind} ${claim.metadata.name}, which uses it, to go: IPPool ${pool} gives out no more addresses`;
  events.warning(address, 'InUse', `It stays until this has come to pass: ${what}`);
  return wait(refTo(dialect.claim, claim), what, RECHECK_MS);
}

/** Of a pool that gives out addresses: of any other nobody could get it. */
function isServed({ metadata }: KubeObject, name: string, { caches }: IpamWorld): boolean {
  return givesOut(caches.of(IPPool).get({ namespace: metadata.namespace ?? '', name }));
}

const isServedNow = async ({ metadata }: KubeObject, name: string, { api }: IpamWorld): Promise<boolean> =>
  givesOut(await api.find(IPPool, { namespace: metadata.namespace ?? '', name }));

const givesOut = (pool: IPPool | undefined): boolean => pool !== undefined && !isDeleting(pool);

/**
 * The claim of its owner's UID is gone (rule c, ipam-g10). Without such an owner the name has to do: for an address that a
 * manager made, of which the garbage collector took the owner that was gone, and for any that is in the way of something:
 * it is being deleted, or its pool is.
 */
async function isNobodys(dialect: Dialect, address: KubeObject, claim: ObjectKey, world: IpamWorld): Promise<boolean> {
  if (ownersOf(address, dialect.claim).length > 0) return isLost(dialect, address, world);
  const pool = world.caches.of(IPPool).get({ ...claim, name: dialect.heldBy(address)?.pool ?? '' });
  const isLeft = isMarkedLost(address) || ownersOf(address, IPPool).length > 0;
  if (!isLeft && !isDeleting(address) && (pool === undefined || !isDeleting(pool))) return false;
  return claim.name === '' ? isDeleting(address) : isGone({ kind: dialect.claim, ...claim }, world);
}

/** One that is there concerns only those that are being deleted: it lets go of the others itself, before it goes. */
function addressesOfGoing(dialect: Dialect, claim: KubeObject, world: IpamWorld): readonly ObjectKey[] {
  const current = world.caches.of(dialect.claim).get(keyOf(claim));
  const stays = current?.metadata.uid === claim.metadata.uid;
  const its = books(world).addressesOfClaim(dialect, keyOf(claim));
  return (stays ? its.filter(isDeleting) : its).map(keyOf);
}

/** Those that may have been left alone while the Cluster was paused. */
function unsettledOfCluster(dialect: Dialect, cluster: KubeObject, world: IpamWorld): readonly ObjectKey[] {
  const { name, namespace = '' } = cluster.metadata;
  return world.caches
    .of(dialect.address)
    .list(namespace)
    .filter(address => labelOf(address, CLUSTER_NAME_LABEL) === name && isUnsettled(dialect, address, world))
    .map(keyOf);
}

/** The same of a pool, and what has no owner while the pool is to go. */
function unsettledOfPool(dialect: Dialect, pool: KubeObject, world: IpamWorld): readonly ObjectKey[] {
  const isOwnerless = (address: KubeObject): boolean => ownersOf(address, dialect.claim).length === 0;
  return books(world)
    .addressesOf(dialect, keyOf(pool))
    .filter(address => isUnsettled(dialect, address, world) || (isDeleting(pool) && isOwnerless(address)))
    .map(keyOf);
}

function isUnsettled(dialect: Dialect, address: KubeObject, { caches }: IpamWorld): boolean {
  const { namespace = '' } = address.metadata;
  return (
    isDeleting(address) || !caches.of(dialect.claim).get({ namespace, name: dialect.heldBy(address)?.claim ?? '' })
  );
}
