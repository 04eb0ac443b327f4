// A Claim that is deleted lets its Data go first, then itself: with Template, Metal3Machine and Cluster gone as well.

import { held, type Subject } from '../../deletion/quiet-controller.ts';
import { settleAll } from '../../deletion/stages.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import {
  METAL3_DATA_CLAIM_FINALIZER,
  METAL3_DATA_FINALIZER,
  METAL3_MACHINE_FINALIZER,
} from '../../kinds/metal-wire.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { refTo } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { letGo, remove, takeOff } from '../../kube/finalizers.ts';
import { hasFinalizer, keyOf } from '../../kube/object.ts';
import { done, type Outcome, type Wait } from '../../kube/outcome.ts';
import { noteLetGo } from '../data/let-go.ts';
import { indexBook } from '../template/index-book.ts';
import { machineOwnerOf } from './claims.ts';
import { isServing, ownDatas, renderedNameOf } from './own-datas.ts';

export async function claimDeletion({ object }: Subject<Metal3DataClaim>, world: KubeWorld): Promise<Outcome> {
  indexBook(world).settle(keyOf(object));
  const outcome = await settleAll(await datasToLetGo(object, world), data => letDataGo(data, world));
  if (outcome.kind === 'wait') return outcome;
  await takeOff(world.api, Metal3DataClaim, object, METAL3_DATA_CLAIM_FINALIZER);
  return hasFinalizer(object, METAL3_MACHINE_FINALIZER) ? untilLetGo(object) : done();
}

/** Somebody deleted it while its machine is there (metal-S2): what it waits for is said where they look. */
function untilLetGo(claim: Metal3DataClaim): Wait {
  const { namespace = '' } = claim.metadata;
  const name = machineOwnerOf(claim)?.name ?? claim.metadata.name;
  const on = { kind: Metal3Machine, namespace, name };
  return held(on, 'InUse', `Metal3Machine ${name}, whose host runs with it, to be deleted and its host to be emptied`);
}

/**
 * All of them, by owner and by name (metal-G11). When the Claim names one that the cache does not have, the API is
 * asked: a failure keeps the Claim's finalizer, and with it the Data's only guardian (metal-G6).
 */
async function datasToLetGo(claim: Metal3DataClaim, world: KubeWorld): Promise<readonly Metal3Data[]> {
  const cached = ownDatas(claim, world);
  const name = renderedNameOf(claim);
  if (name === undefined || !hasFinalizer(claim, METAL3_DATA_CLAIM_FINALIZER)) return cached;
  if (cached.some(({ metadata }) => metadata.name === name)) return cached;
  const live = await world.api.find(Metal3Data, { namespace: claim.metadata.namespace ?? '', name });
  return live !== undefined && isServing(live, claim) ? [...cached, live] : cached;
}

async function letDataGo(data: Metal3Data, world: KubeWorld): Promise<Outcome> {
  const pause = isBeingMoved(data) ? 'it is being moved' : pausedBy(data, undefined);
  if (pause !== undefined) {
    const what = `Metal3Data ${data.metadata.name}, for which nothing may be written: ${pause}`;
    return held(refTo(Metal3Data, data), 'DataLeftAlone', what);
  }
  // Its own controller takes the Claim's finalizer off with its own, once the Claim is gone: one write for both.
  if (hasFinalizer(data, METAL3_DATA_FINALIZER)) {
    await remove(world.api, Metal3Data, data);
    noteLetGo(data, world);
  } else await letGo(world.api, Metal3Data, data, METAL3_DATA_CLAIM_FINALIZER);
  return done();
}
