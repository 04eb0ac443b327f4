// Makes the object of an address that was given to a claim. Its name is the lock: whoever has it first has the address.

import { seconds } from '../../base/clock.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { type KubeObject, keyOf } from '../../kube/object.ts';
import { ownerReferenceTo } from '../../kube/owners.ts';
import type { Allocator } from '../allocation/allocator.ts';
import type { Given } from '../allocation/choice.ts';
import { objectName } from '../allocation/plan.ts';
import type { IpamWorld } from '../world.ts';
import { type Dialect, holderOf } from './dialect.ts';
import { isOwn } from './own-addresses.ts';

/** By then the cache shows the object that was in the way, or it is gone. */
const KEPT_BACK_MS = seconds(10);

/** The object's name; `taken`: it is another's, and the address is kept back for a while. */
export type Made = { readonly name: string } | 'taken';

export interface Making {
  readonly dialect: Dialect;
  readonly claim: KubeObject;
  readonly pool: IPPool;
  readonly allocator: Allocator;
}

export async function makeAddress(given: Given, making: Making, world: IpamWorld): Promise<Made> {
  const { dialect, claim, pool, allocator } = making;
  const object = addressObject(given, making);
  const { name } = object.metadata;
  try {
    await world.api.create(dialect.address, object);
    return { name };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  // Somebody was first, perhaps we ourselves and the answer was lost: here alone the API is asked.
  const live = await world.api.find(dialect.address, keyOf(object));
  if (live !== undefined && isOwn(dialect, claim, live)) return { name };
  allocator.keepBack(holderOf(dialect.claim, claim), given.text, KEPT_BACK_MS);
  world.log.info('The name of an address is taken', { address: given.text, name, pool: pool.metadata.name });
  return 'taken';
}

function addressObject({ text, values }: Given, { dialect, claim, pool }: Making): KubeObject {
  const { address, addressFinalizer } = dialect;
  const { namespace = '', labels } = claim.metadata;
  const parts = {
    pool: { name: pool.metadata.name, namespace },
    claim: { name: claim.metadata.name, namespace },
    address: text,
    values,
  };
  const object: KubeObject & { readonly spec: object } = {
    apiVersion: apiVersionOf(address),
    kind: address.kind,
    metadata: {
      name: objectName(pool.spec?.namePrefix ?? '', text),
      namespace,
      finalizers: [addressFinalizer],
      ownerReferences: [ownerReferenceTo(IPPool, pool, 'owner'), ownerReferenceTo(dialect.claim, claim, 'owner')],
      ...(labels === undefined ? {} : { labels }),
    },
    spec: dialect.specOf(parts),
  };
  return object;
}
