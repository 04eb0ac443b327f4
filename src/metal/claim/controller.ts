// Claims: each gets one Data, and lets go of it when it is deleted. Keyed by Claim, so that none waits for another.

import { quietController } from '../../deletion/quiet-controller.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { clusterOf, pausedBy } from '../../kinds/pause.ts';
import { PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { changedBesidesStatus } from '../../kube/besides-status.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';
import type { Runnable } from '../../kube/run.ts';
import { indexBook } from '../template/index-book.ts';
import { claimsOfCluster, claimsOfTemplate, machineOwnerOf, unrenderedClaimsOf } from './claims.ts';
import { claimDeletion } from './deletion.ts';
import { claimsConcernedBy } from './own-datas.ts';
import { rendering } from './rendering.ts';

export const dataClaimController = (): Runnable<KubeWorld> =>
  quietController<Metal3DataClaim, KubeWorld>({
    name: 'metal3-data-claim',
    kind: Metal3DataClaim,
    condition: 'Ready',
    wokenBy: [
      { kind: Metal3DataTemplate, keysFor: claimsWaitingFor, matters: changedBesidesStatus },
      { kind: Metal3Data, keysFor: claimsConcernedBy },
      {
        kind: Cluster,
        keysFor: (cluster, world) => (isPaused(cluster) ? claimsOfCluster(keyOf(cluster), world) : []).map(keyOf),
      },
    ],
    reads: [Metal3Data, Metal3DataTemplate, Metal3Machine, Cluster],
    wakes: world => {
      indexBook(world);
    },
    workers: 16,
    echoes: 'spared',
    pausedBy: pauseOf,
    keep: rendering,
    takeApart: claimDeletion,
    // A Claim that went while its Data was being made holds no index any more.
    leftBehind: async (key, object, world) => {
      if (object === undefined) indexBook(world).settle(key);
      return done();
    },
  });

const isPaused = (cluster: KubeObject): boolean => (cluster as Cluster).spec?.paused === true;

/** Only those that may wait for it. */
function claimsWaitingFor(template: KubeObject, world: KubeWorld): readonly ObjectKey[] {
  const isHeld = annotationOf(template, PAUSED_ANNOTATION) !== undefined;
  return (isHeld ? claimsOfTemplate : unrenderedClaimsOf)(keyOf(template), world).map(keyOf);
}

/** A Claim is paused by itself, by its Cluster, or with its Template, as upstream's one pass per Template had it. */
function pauseOf(claim: Metal3DataClaim, world: KubeWorld): string | undefined {
  const { namespace = '' } = claim.metadata;
  const template = world.caches.of(Metal3DataTemplate).get({ namespace, name: claim.spec?.template?.name ?? '' });
  const own = pausedBy(claim, clusterOf(claim, world) ?? clusterOfMachine(claim, world));
  if (own !== undefined || template === undefined) return own;
  const why = pausedBy(template, undefined);
  return why === undefined ? undefined : `of its Metal3DataTemplate: ${why}`;
}

/** Objects of before bear no label: their Metal3Machine does. */
function clusterOfMachine(claim: Metal3DataClaim, world: KubeWorld): Cluster | undefined {
  const { namespace = '' } = claim.metadata;
  const name = machineOwnerOf(claim)?.name;
  const machine = name === undefined ? undefined : world.caches.of(Metal3Machine).get({ namespace, name });
  return machine === undefined ? undefined : clusterOf(machine, world);
}
