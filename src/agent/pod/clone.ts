// Makes a Pod's VM out of a golden base: noted first, with an identity of its own, and whole or not at all.

import { messageOf } from '../../base/errors.ts';
import { type Base, type BaseWorld, discard } from '../images/base.ts';
import type { VmRecord } from '../records.ts';
import { noSpace, runtimeFailed } from '../vm-errors.ts';

/** What became of the clone's identity: keeping the base's serial number is no failure (agent-21). */
export type Identity = { readonly renewed: true } | { readonly renewed: false; readonly why: string };

/** The caller has seen that no process runs under this name. What is left of an earlier try is replaced. */
export async function cloneVm(
  record: Omit<VmRecord, 'state' | 'contentId'>,
  { golden }: Base,
  world: BaseWorld,
): Promise<Identity> {
  const { records, leases, locks } = world;
  const held = await leases.take([record.vm, golden, record.image]);
  try {
    const noted = await locks.run(golden, () => cloneFrom(golden, record, world));
    const identity = await renewIdentity(record.vm, world);
    await records.putVm({ ...noted, state: 'made' });
    return identity;
  } finally {
    held();
  }
}

/** Under the base's lock it is one content from the note to the clone: a moved tag may have replaced it since it was asked for. */
async function cloneFrom(
  golden: string,
  record: Omit<VmRecord, 'state' | 'contentId'>,
  world: BaseWorld,
): Promise<VmRecord> {
  const { runtime, records } = world;
  const base = await records.vm(golden);
  if (base?.state === 'making') throw runtimeFailed(`tart clone ${golden}`, 'the base is half-built');

  const content = base?.contentId === undefined ? {} : { contentId: base.contentId };
  const noted: VmRecord = { ...record, ...content, state: 'making' };
  await records.putVm(noted);
  await runtime.delete(record.vm);
  try {
    await runtime.clone(golden, record.vm);
  } catch (error) {
    // A base that cannot be cloned is of no use; a full disk is not its fault (agent-51).
    if (!noSpace.is(error)) await discard(golden, world);
    throw error;
  }
  return noted;
}

async function renewIdentity(vm: string, { runtime }: BaseWorld): Promise<Identity> {
  try {
    await runtime.renewIdentity(vm);
    return { renewed: true };
  } catch (error) {
    return { renewed: false, why: messageOf(error) };
  }
}
