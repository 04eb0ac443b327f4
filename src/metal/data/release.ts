// Lets go of what a Data held: its leases and its secrets, found by its UID on them (metal-G2, G10).

import { held } from '../../deletion/quiet-controller.ts';
import { settleAll } from '../../deletion/stages.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { isMadeFor, makersOf } from '../../kinds/made-for.ts';
import { LET_GO_ANNOTATION, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { refTo } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { patchMetadata, remove } from '../../kube/finalizers.ts';
import { annotationOf, hasFinalizer, isDeleting, keyOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { unprovenGone } from '../../kube/perhaps-gone.ts';
import { isNameUsed } from './in-use.ts';
import { type Lease, leasesOfDataName, ownerUidOf } from './leases.ts';
import { SecretMetadata, secretsOfDataName } from './secrets.ts';

/** Everything of this Data. Neither Template nor pool is asked: they may be gone, and may have said other things once. */
export async function releaseAllOf(data: Metal3Data, world: KubeWorld): Promise<Outcome> {
  const { uid } = data.metadata;
  const leases = leasesOfDataName(keyOf(data), world).filter(lease => (ownerUidOf(lease) ?? uid) === uid);
  const secrets = secretsOfDataName(keyOf(data), world).filter(secret => isMadeFor(data, secret));
  const [released, removed] = await Promise.allSettled([
    settleAll(leases, lease => releaseLease(lease, world)),
    settleAll(secrets, async secret => {
      await remove(world.api, SecretMetadata, secret);
      return done();
    }),
  ]);
  if (released.status === 'rejected') throw released.reason;
  if (removed.status === 'rejected') throw removed.reason;
  return released.value;
}

async function releaseLease({ kind, object }: Lease, world: KubeWorld): Promise<Outcome> {
  const { name } = object.metadata;
  if (isBeingMoved(object)) return held(refTo(kind, object), 'ClaimMoves', `${kind.kind} ${name} to have been moved`);
  const pause = pausedBy(object, clusterOf(object, world));
  if (pause !== undefined) return held(refTo(kind, object), 'ClaimPaused', `${kind.kind} ${name} to go on: ${pause}`);
  await markLetGo({ kind, object }, world);
  await remove(world.api, kind, object);
  return done();
}

/**
 * The mark tells the address manager that it was its Data which took the finalizer off: where anybody else did, the
 * address is kept (`ipam-15`). One that was robbed of it before is waited for there, so it gets the mark all the same.
 */
async function markLetGo(lease: Lease, { api }: KubeWorld): Promise<void> {
  const { kind, object } = lease;
  const isHeld = hasFinalizer(object, METAL3_DATA_FINALIZER);
  const isAwaited = isDeleting(object) && annotationOf(object, LET_GO_ANNOTATION) === undefined;
  if (!isHeld && !isAwaited) return;
  const finalizers = (object.metadata.finalizers ?? []).filter(each => each !== METAL3_DATA_FINALIZER);
  const annotations = { [LET_GO_ANNOTATION]: ownerUidOf(lease) ?? '' };
  await unprovenGone(kind, object, patchMetadata(api, kind, object, { finalizers, annotations }));
}

/** What earlier Datas of this name have left, each once its UID is proved gone (metal-c, metal-S11). */
export async function releaseLeftBehind(
  key: ObjectKey,
  present: Metal3Data | undefined,
  world: KubeWorld,
): Promise<Outcome> {
  const presentUid = present?.metadata.uid;
  const isLeft = (uid: string | undefined): uid is string => uid !== undefined && uid !== presentUid;
  const left = leasesOfDataName(key, world).filter(
    lease => isLeft(ownerUidOf(lease)) && isHeldByUs(lease) && !isBeingMoved(lease.object),
  );
  // A host runs with them: the Data that is made again takes them over, or they go with the machine (metal-h1).
  const leases = left.length > 0 && isNameUsed(key, world) ? [] : left;
  const secrets = secretsOfDataName(key, world).filter(
    secret => isLeft(makersOf(secret)[0]?.uid) && !isDeleting(secret) && !isBeingMoved(secret),
  );
  const uids = new Set([...leases.map(ownerUidOf), ...secrets.map(secret => makersOf(secret)[0]?.uid)]);
  const gone = new Set<string | undefined>();
  for (const uid of uids) {
    if (uid !== undefined && (await isGone({ kind: Metal3Data, ...key, uid }, world))) gone.add(uid);
  }
  return settleAll(
    [
      ...leases.filter(lease => gone.has(ownerUidOf(lease))),
      ...secrets.filter(secret => gone.has(makersOf(secret)[0]?.uid)).map(object => ({ kind: SecretMetadata, object })),
    ],
    lease => releaseLease(lease, world),
  );
}

export const isHeldByUs = ({ object }: Lease): boolean =>
  hasFinalizer(object, METAL3_DATA_FINALIZER) || !isDeleting(object);
