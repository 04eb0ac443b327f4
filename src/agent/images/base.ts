// Brings the golden base of an image onto the disk: from what is there already, from the cache, or by a pull.

import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Sighting } from '../../base/sighting.ts';
import type { Locks } from '../locks.ts';
import type { AgentRecords, VmRecord } from '../records.ts';
import { noSpace, runtimeFailed } from '../vm-errors.ts';
import type { VmListing, VmRuntime } from '../vm-runtime.ts';
import { goldenName } from './golden.ts';
import type { Leases } from './leases.ts';

/** Why a base was not there already: the counted reason of a cold start. */
export type ColdReason = 'first-sight' | 'tag-moved' | 'half-built' | 'base-lost';

/** A base that can be cloned now. */
export interface Base {
  readonly golden: string;
  /** `repo@sha256:...`; absent for a base that another agent made. */
  readonly contentId?: string;
  readonly cold?: ColdReason;
}

export interface BaseWorld {
  readonly runtime: VmRuntime;
  readonly records: AgentRecords;
  readonly leases: Leases;
  readonly locks: Locks;
  readonly log: Log;
  /** Frees what is not in use at once: before a second try of a pull that found the disk full (agent-64). */
  readonly makeSpace: () => Promise<void>;
}

/** `Always` asks the registry each time whether the tag has moved; `IfNotPresent` takes a base that is there. */
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

export interface BaseRequest {
  readonly image: string;
  readonly policy: PullPolicy;
  readonly onProgress: (percent: number) => void;
}

/** The base of this image, built if need be. One at a time per base (agent-52); clones of it do not wait for a pull. */
export function ensureBase(request: BaseRequest, world: BaseWorld): Promise<Base> {
  const golden = goldenName(request.image);
  return world.locks.run(`building ${golden}`, async () => {
    const held = await world.leases.take([golden, request.image]);
    try {
      return await baseOf(request, golden, world);
    } finally {
      held();
    }
  });
}

/** A base that is there and whole, without asking any registry; undefined when there is work to do. */
export async function readyBase(image: string, world: BaseWorld): Promise<Base | undefined> {
  const golden = goldenName(image);
  const [seen, record] = await Promise.all([probe(golden, world), world.records.vm(golden)]);
  return isWhole(seen, record) ? baseFrom(golden, record) : undefined;
}

async function baseOf(request: BaseRequest, golden: string, world: BaseWorld): Promise<Base> {
  const record = await world.records.vm(golden);
  const seen = await probe(golden, world);
  const whole = isWhole(seen, record);
  if (whole && request.policy !== 'Always') return baseFrom(golden, record);

  const contentId = await bring(request, world);
  if (whole && record?.contentId === contentId) return baseFrom(golden, record);
  const note = { vm: golden, use: 'golden', image: request.image, contentId, state: 'making' } as const;
  await world.locks.run(golden, () => build(note, world));
  return { golden, contentId, cold: coldReason(seen, record) };
}

const baseFrom = (golden: string, record: VmRecord | undefined): Base =>
  record?.contentId === undefined ? { golden } : { golden, contentId: record.contentId };

/** A failed probe is no absence: a pull would follow, and its clone would replace a good base (agent-53). */
async function probe(golden: string, { runtime, log }: BaseWorld): Promise<Sighting<VmListing>> {
  const seen = await runtime.onDisk(golden);
  if (seen.kind === 'unknown') {
    log.error('the golden base cannot be probed', { golden, error: seen.reason });
    throw runtimeFailed(`tart get ${golden}`, seen.reason);
  }
  return seen;
}

/** On the disk, and not left half-built by a crash. */
const isWhole = (seen: Sighting<VmListing>, record: VmRecord | undefined): boolean =>
  seen.kind === 'present' && record?.state !== 'making';

function coldReason(seen: Sighting<VmListing>, record: VmRecord | undefined): ColdReason {
  if (isWhole(seen, record)) return 'tag-moved';
  if (record === undefined) return 'first-sight';
  return record.state === 'making' ? 'half-built' : 'base-lost';
}

/** The content in the cache, pulled where it is not there or may have moved. Answers its id and notes it as ours. */
async function bring(request: BaseRequest, world: BaseWorld): Promise<string> {
  const { runtime, records } = world;
  const cached = request.policy === 'Always' ? undefined : await contentId(request.image, runtime);
  if (cached === undefined && request.policy !== 'Never') await pull(request, world);

  const id = cached ?? (await contentId(request.image, runtime));
  if (id === undefined) throw runtimeFailed(`tart fqn ${request.image}`, 'the image is not in the cache');
  const names = (await records.images()).find(image => image.contentId === id)?.names ?? [];
  await records.putImage({ contentId: id, names: [...new Set([...names, request.image])] });
  return id;
}

async function pull({ image, onProgress }: BaseRequest, { runtime, makeSpace }: BaseWorld): Promise<void> {
  try {
    await runtime.pull(image, onProgress);
  } catch (error) {
    if (!noSpace.is(error)) throw error;
    await makeSpace();
    await runtime.pull(image, onProgress);
  }
}

async function contentId(image: string, runtime: VmRuntime): Promise<string | undefined> {
  const seen = await runtime.contentId(image);
  if (seen.kind === 'unknown') throw runtimeFailed(`tart fqn ${image}`, seen.reason);
  return seen.kind === 'present' ? seen.value : undefined;
}

/** The note goes first: after a crash the half-built base is known as one and built again (agent-50). */
async function build(record: VmRecord & { readonly contentId: string }, world: BaseWorld): Promise<void> {
  const { runtime, records } = world;
  await records.putVm(record);
  await runtime.delete(record.vm);
  try {
    await runtime.clone(record.contentId, record.vm);
  } catch (error) {
    await discard(record.vm, world);
    throw error;
  }
  await records.putVm({ ...record, state: 'made' });
}

/** Removes a base that cannot be cloned from, so that the next try builds it again and says why (agent-51). */
export async function discard(golden: string, { runtime, log }: BaseWorld): Promise<void> {
  try {
    await runtime.delete(golden);
  } catch (error) {
    log.warn('a broken golden base could not be deleted yet', { golden, error: messageOf(error) });
  }
}
