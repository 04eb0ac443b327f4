// Lets go of a claim that is deleted: its address first, by owner and never by the pool's text, then the claim itself.

import { held, type Subject } from '../../deletion/quiet-controller.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import { refTo } from '../../kube/api.ts';
import { letGo, takeOff, usersOf } from '../../kube/finalizers.ts';
import { hasFinalizer, type KubeObject } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { ownerUsing } from '../address/user.ts';
import { books } from '../allocation/books.ts';
import type { IpamWorld } from '../world.ts';
import type { Dialect } from './dialect.ts';
import { ownAddresses } from './own-addresses.ts';

/** Neither pool nor Cluster has to be there (rule i). Whoever else holds the claim still uses the address (metal-S15). */
export async function releaseClaim(
  dialect: Dialect,
  { object }: Subject<KubeObject>,
  world: IpamWorld,
): Promise<Outcome> {
  const { claim, claimFinalizer, address, addressFinalizer } = dialect;
  if (!hasFinalizer(object, claimFinalizer)) return done();
  const others = usersOf(object).filter(finalizer => finalizer !== claimFinalizer);
  if (others.length > 0) {
    return held(refTo(claim, object), 'InUse', `those who use its address to take off ${others.join(', ')}`);
  }
  const user = await ownerUsing(object, world);
  if (user !== undefined) {
    const what = `${user}, whose host may run with its address, to let go of it: its finalizer was taken off by somebody else`;
    return held(refTo(claim, object), 'DataUsesIt', what);
  }
  for (const own of ownAddresses(dialect, object, books(world))) {
    if (isBeingMoved(own)) return held(refTo(address, own), 'BeingMoved', `${own.metadata.name} to be moved away`);
    await letGo(world.api, address, own, addressFinalizer);
  }
  await takeOff(world.api, claim, object, claimFinalizer);
  return done();
}
