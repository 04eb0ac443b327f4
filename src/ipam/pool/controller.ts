// Pools: they say what is wrong with them and who has which address, and stay until nothing names them any more.

import { minutes } from '../../base/clock.ts';
import { held, quietController, type Subject, unsaid } from '../../deletion/quiet-controller.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { IP_POOL_FINALIZER } from '../../kinds/metal-wire.ts';
import { pausedBy } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { refTo } from '../../kube/api.ts';
import { putOn, takeOff } from '../../kube/finalizers.ts';
import { hasFinalizer, type KubeObject, keyOf, labelOf, type ObjectKey } from '../../kube/object.ts';
import { type Change, done, type Outcome, type Wait } from '../../kube/outcome.ts';
import { forgetLooks, untilNextLook } from '../../kube/pace.ts';
import type { Runnable } from '../../kube/run.ts';
import { books } from '../allocation/books.ts';
import { unreadKinds } from '../allocation/known.ts';
import { metal3 } from '../claim/metal3.ts';
import type { IpamWorld } from '../world.ts';
import { type Listed, listedIndexes } from './listed-indexes.ts';
import { clusterOfPool, joinCluster } from './membership.ts';
import { allowedVerdicts, faultVerdict } from './verdicts.ts';
import { leftIn, poolHears } from './waking.ts';

const RESYNC_MS = minutes(10);
const MOST_NAMED = 3;

export const poolController = (): Runnable<IpamWorld> =>
  quietController<IPPool, IpamWorld>({
    name: 'ipam-pool',
    kind: IPPool,
    condition: 'Ready',
    wokenBy: [{ kind: Cluster, keysFor: poolsOfCluster }],
    reads: [metal3.claim, metal3.address, Cluster],
    wakes: (world, wake) => {
      books(world).include(metal3);
      poolHears(world, wake);
    },
    echoes: 'spared',
    pausedBy: (pool, world) => pausedBy(pool, clusterOfPool(pool, world)),
    keep,
    takeApart,
  });

/** A pool may be there before its Cluster: then that Cluster's coming is what it waits for (ipam-g13). */
function poolsOfCluster({ metadata: { name, namespace } }: KubeObject, { caches }: IpamWorld): readonly ObjectKey[] {
  const isOf = (pool: IPPool): boolean => pool.spec?.clusterName === name || labelOf(pool, CLUSTER_NAME_LABEL) === name;
  return caches.of(IPPool).list(namespace).filter(isOf).map(keyOf);
}

async function keep(subject: Subject<IPPool>, world: IpamWorld): Promise<Outcome> {
  subject.object = await putOn(world.api, IPPool, subject.object, IP_POOL_FINALIZER);
  const cluster = clusterOfPool(subject.object, world);
  subject.object = await joinCluster(subject.object, cluster, world);
  const pool = subject.object;
  const againMs = untilNextLook(pool.metadata.uid ?? '', world);
  if (againMs > 0) return unsaid(refTo(IPPool, pool), 'the pace of its status', againMs);

  const known = books(world);
  const fault = faultVerdict(pool, known);
  const change = changeOf(listedIndexes(pool, known, world.clock.now()), allowedVerdicts(pool, known));
  if (fault !== undefined)
    return withChange(unsaid(refTo(IPPool, pool), 'its spec to be mended', RESYNC_MS), change, [fault]);
  const { clusterName = '' } = pool.spec ?? {};
  if (clusterName !== '' && cluster === undefined) {
    const on = { kind: Cluster, namespace: pool.metadata.namespace ?? '', name: clusterName };
    return withChange(held(on, 'WaitingForCluster', `Cluster ${clusterName}, which spec.clusterName names`), change);
  }
  return done(change, RESYNC_MS);
}

/** Every claim and address counts that names it, whether or not it was served (ipam-g9): the pool goes last. */
async function takeApart({ object }: Subject<IPPool>, world: IpamWorld): Promise<Outcome> {
  if (!hasFinalizer(object, IP_POOL_FINALIZER)) return done();
  const known = books(world);
  const on = refTo(IPPool, object);
  const unread = await unreadKinds(world);
  if (unread.length > 0) return held(on, 'NotAllRead', `${unread.join(' and ')} to be read`);
  const left = leftIn(keyOf(object), known);
  if (left.length === 0) {
    await takeOff(world.api, IPPool, object, IP_POOL_FINALIZER);
    forgetLooks(object.metadata.uid ?? '', world);
    return done();
  }
  const what = `all that names it to go: ${left.slice(0, MOST_NAMED).join(', ')}${more(left.length - MOST_NAMED)}`;
  const againMs = untilNextLook(object.metadata.uid ?? '', world);
  if (againMs > 0) return unsaid(on, what, againMs);
  return withChange(held(on, 'InUse', what), changeOf(listedIndexes(object, known, world.clock.now())));
}

const more = (count: number): string => (count > 0 ? ` and ${count} more` : '');

function changeOf({ status, said }: Listed, others: readonly Listed['said'][number][] = []): Change {
  return { status, conditions: [...said, ...others] };
}

function withChange(wait: Wait, change: Change, said: Listed['said'] = []): Wait {
  return { ...wait, change: { ...change, conditions: [...(change.conditions ?? []), ...said] } };
}
