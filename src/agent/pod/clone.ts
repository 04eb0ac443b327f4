// Makes a Pod's VM out of a golden base: noted first, with an identity of its own, and whole or not at all.

import { messageOf } from '../../base/errors.ts';
import { type Base, type BaseWorld, discard } from '../images/base.ts';
import type { VmRecord } from '../records.ts';
import { noSpace } from '../vm-errors.ts';

/** What became of the clone's identity: keeping the base's serial number is no failure (agent-21). */
export type Identity = { readonly renewed: true } | { readonly renewed: false; readonly why: string };

/** The caller has seen that no process runs under this name. What is left of an earlier try is replaced. */
export async function cloneVm(
  record: Omit<VmRecord, 'state' | 'contentId'>,
  base: Base,
  world: BaseWorld,
): Promise<Identity> {
  const { runtime, records, leases, locks } = world;
  const content = base.contentId === undefined ? {} : { contentId: base.contentId };
  const held = await leases.take([record.vm, base.golden, ...Object.values(content)]);
  try {
    await records.putVm({ ...record, ...content, state: 'making' });
    await runtime.delete(record.vm);
    await locks.run(base.golden, () => cloneOrDiscard(base.golden, record.vm, world));
    const identity = await renewIdentity(record.vm, world);
    await records.putVm({ ...record, ...content, state: 'made' });
    return identity;
  } finally {
    held();
  }
}

/** A base that cannot be cloned is of no use; a full disk is not its fault. */
async function cloneOrDiscard(golden: string, vm: string, world: BaseWorld): Promise<void> {
  try {
    await world.runtime.clone(golden, vm);
  } catch (error) {
    if (!noSpace.is(error)) await discard(golden, world);
    throw error;
  }
}

async function renewIdentity(vm: string, { runtime }: BaseWorld): Promise<Identity> {
  try {
    await runtime.renewIdentity(vm);
    return { renewed: true };
  } catch (error) {
    return { renewed: false, why: messageOf(error) };
  }
}
