// What a collection looks at: one snapshot of the disk, the Pods, and the agent's notes, with every name resolved.

import type { Log } from '../../base/log.ts';
import type { AgentHost } from '../host.ts';
import { isGolden } from '../images/golden.ts';
import { isContentId } from '../images/reference.ts';
import type { AgentRecords, ImageRecord, VmRecord } from '../records.ts';
import type { ImageListing, VmListing, VmRuntime } from '../vm-runtime.ts';

/** A Pod bound here, as far as the collection cares. */
export interface BoundPod {
  readonly uid: string;
  readonly image: string;
  /** Names under which its VM may be on the disk. */
  readonly vms: readonly string[];
  /** It still needs its image: neither ended nor being deleted. */
  readonly wantsImage: boolean;
}

/** A VM on the disk and what is known of it. */
export interface SeenVm extends VmListing {
  readonly record: VmRecord | undefined;
  /** Unknown counts as running (agent-17). */
  readonly life: 'running' | 'stopped' | 'unknown';
  /** Bears our mark, or upstream's where upstream's agent ran (safe-25). */
  readonly ours: boolean;
}

/** A name in the image cache and the content that it stands for; undefined: it could not be resolved. */
export interface SeenImage extends ImageListing {
  readonly contentId: string | undefined;
}

export interface DiskView {
  readonly vms: readonly SeenVm[];
  readonly images: readonly SeenImage[];
  readonly vmRecords: readonly VmRecord[];
  readonly imageRecords: readonly ImageRecord[];
  readonly pods: readonly BoundPod[];
}

export interface ViewWorld {
  readonly runtime: VmRuntime;
  readonly records: AgentRecords;
  readonly host: Pick<AgentHost, 'staged'>;
  /** Upstream's agent ran this Mac: what bears its names is ours to collect too (safe-25). */
  readonly inheritsUpstream: boolean;
  /** Every Pod bound to this Node, read live and completely; throws when it cannot be (safe-3). */
  readonly boundPods: () => Promise<readonly BoundPod[]>;
  readonly log: Log;
}

/** Throws when any part cannot be read: nothing is deleted from a partial view. */
export async function viewDisk(world: ViewWorld): Promise<DiskView> {
  const { runtime, records } = world;
  // The disk before the Pods: a VM made after this snapshot is not in it, whatever Pod it is for (agent-56).
  const { vms, images } = await runtime.inventory();
  const [vmRecords, imageRecords, staged] = await Promise.all([records.vms(), records.images(), world.host.staged()]);
  const pods = await world.boundPods();
  const known = new Map(vmRecords.map(record => [record.vm, record]));
  const upstreams = (vm: string): boolean => world.inheritsUpstream && (staged.includes(vm) || isGolden(vm));
  return {
    vms: await Promise.all(
      vms.map(async vm => ({
        ...vm,
        record: known.get(vm.name),
        life: await lifeOf(vm.name, runtime),
        ours: known.has(vm.name) || upstreams(vm.name),
      })),
    ),
    images: await Promise.all(
      images.map(async image => ({ ...image, contentId: await resolved(image.name, runtime) })),
    ),
    vmRecords,
    imageRecords,
    pods,
  };
}

async function lifeOf(vm: string, runtime: VmRuntime): Promise<SeenVm['life']> {
  const process = await runtime.process(vm);
  if (process.kind === 'unknown') return 'unknown';
  return process.kind === 'present' ? 'running' : 'stopped';
}

/** Tags are compared by what they point at, never as text: this is the fault that started the project (agent-55). */
async function resolved(name: string, runtime: VmRuntime): Promise<string | undefined> {
  if (isContentId(name)) return name;
  const id = await runtime.contentId(name);
  return id.kind === 'present' ? id.value : undefined;
}
