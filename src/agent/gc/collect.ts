// One collection: look, decide, and remove under the leases' lock; then the same for images, from a fresh look.

import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { AgentHost } from '../host.ts';
import { isGolden } from '../images/golden.ts';
import type { Leases } from '../images/leases.ts';
import { golden, imagesToRemove, isReferenced, type Removal, vmsToRemove } from './plan.ts';
import { stopStrays } from './strays.ts';
import { type DiskView, type SeenVm, type ViewWorld, viewDisk } from './view.ts';
import type { Zeal } from './zeal.ts';

export interface GcWorld extends ViewWorld {
  readonly host: Pick<AgentHost, 'staged' | 'unstage' | 'disk'>;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly minGoldensKept: number;
}

/** Collections of one host, one after the other. */
export interface Collector {
  /** Answers what was removed. Throws when the view is partial; then nothing was. */
  collect(zeal: Zeal): Promise<readonly Removal[]>;
}

/** Below this share of free space bases go although Pods name them, idle ones first (agent-59). */
const FREE_FLOOR = 0.15;

export function collector(world: GcWorld): Collector {
  const unreferenced = new Map<string, number>();
  const strays = new Map<string, number>();
  const ages = { unreferencedSince: (name: string) => unreferenced.get(name) };
  let last: Promise<unknown> = Promise.resolve();

  async function collect(zeal: Zeal): Promise<readonly Removal[]> {
    const view = await look(world);
    noteReferences(view, unreferenced, world.clock.monotonic());
    await stopStrays(view, strays, world);
    const rules = { zeal, nowMs: world.clock.monotonic(), ages, minGoldensKept: world.minGoldensKept };
    const removed = await removeAll(vmsToRemove(view, rules), world);
    removed.push(...(await reclaimGoldens(world)));
    removed.push(...(await removeAll(imagesToRemove(await look(world), zeal), world)));
    await forgetVanished(world);
    return removed;
  }

  return {
    collect: zeal => {
      const mine = last.then(() => collect(zeal));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Whatever is leased from here on stays, even if the lease ends before the deletion. */
function look(world: GcWorld): Promise<DiskView> {
  world.leases.look();
  return viewDisk(world);
}

/** The day of grace starts at the first look at which nobody named the base, and again after each at which one did. */
function noteReferences(view: DiskView, unreferenced: Map<string, number>, nowMs: number): void {
  const goldens = view.vms.filter(vm => isGolden(vm.name));
  for (const name of [...unreferenced.keys()]) if (!goldens.some(vm => vm.name === name)) unreferenced.delete(name);
  for (const { name } of goldens) {
    if (isReferenced(view, name)) unreferenced.delete(name);
    else if (!unreferenced.has(name)) unreferenced.set(name, nowMs);
  }
}

/** One failure hides no other; what failed is looked at again in the next collection. */
async function removeAll(removals: readonly Removal[], world: GcWorld): Promise<Removal[]> {
  const removed: Removal[] = [];
  for (const removal of removals) {
    try {
      if (await world.leases.deleteUnlessHeld(removal.unlessHeld, () => remove(removal, world))) removed.push(removal);
    } catch (error) {
      world.log.warn('could not be collected', { ...removal, error: messageOf(error) });
    }
  }
  return removed;
}

async function remove(removal: Removal, { runtime, records, host, log }: GcWorld): Promise<boolean> {
  const { what, name, why } = removal;
  const isVm = what === 'vm' || what === 'golden';
  // Asked once more under the lock: nothing that lives, or may live, is deleted (agent-58).
  if (isVm && (await runtime.process(name)).kind !== 'absent') return false;
  await runtime.delete(name);
  if (what === 'vm') await host.unstage(name);
  if (isVm) await records.dropVm(name);
  if (what === 'content') await records.dropImage(name);
  log.info('collected', { what, name, why });
  return true;
}

/** Under pressure bases go one by one, measured and listed anew after each: unreferenced first, then idle ones. */
async function reclaimGoldens(world: GcWorld): Promise<Removal[]> {
  const removed: Removal[] = [];
  while (await isTight(world)) {
    const next = nextToReclaim(await look(world), world.minGoldensKept);
    if (next === undefined) return removed;
    const done = await removeAll([golden(next, 'the disk is nearly full')], world);
    if (done.length === 0) return removed;
    removed.push(...done);
  }
  return removed;
}

/** A measurement that failed asks for nothing (agent-62). */
async function isTight({ host }: GcWorld): Promise<boolean> {
  const disk = await host.disk();
  return (
    disk.kind === 'present' && disk.value.totalBytes > 0 && disk.value.freeBytes < FREE_FLOOR * disk.value.totalBytes
  );
}

function nextToReclaim(view: DiskView, minGoldensKept: number): string | undefined {
  const goldens = view.vms.filter(vm => vm.ours && isGolden(vm.name));
  if (goldens.length <= minGoldensKept) return undefined;

  const idle = goldens
    .filter(vm => vm.life === 'stopped' && !hasRunningClone(view, vm))
    .sort(
      (a, b) =>
        Number(isReferenced(view, a.name)) - Number(isReferenced(view, b.name)) ||
        (a.accessedMs ?? 0) - (b.accessedMs ?? 0),
    );
  return idle[0]?.name;
}

const hasRunningClone = (view: DiskView, base: SeenVm): boolean =>
  view.vms.some(vm => vm.life !== 'stopped' && vm.record?.use === 'pod' && vm.record.image === base.record?.image);

/** Notes about VMs and content that are no longer there; looked at under the lock, so that none is being made. */
async function forgetVanished({ runtime, records, leases }: GcWorld): Promise<void> {
  leases.look();
  const noted = await Promise.all([records.vms(), records.images()]);
  const { vms, images } = await runtime.inventory();
  const there = new Set([...vms, ...images].map(entry => entry.name));
  for (const { vm } of noted[0].filter(record => !there.has(record.vm))) {
    await leases.deleteUnlessHeld([vm], async () => {
      const gone = (await runtime.onDisk(vm)).kind === 'absent';
      if (gone) await records.dropVm(vm);
      return gone;
    });
  }
  for (const { contentId } of noted[1].filter(record => !there.has(record.contentId))) {
    await leases.deleteUnlessHeld([contentId], async () => {
      const gone = (await runtime.contentId(contentId)).kind === 'absent';
      if (gone) await records.dropImage(contentId);
      return gone;
    });
  }
}
