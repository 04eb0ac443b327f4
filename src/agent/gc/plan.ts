// What goes in a collection, and why: pure decisions over one view of the disk.

import { goldenName, isGolden } from '../images/golden.ts';
import { isContentId, repositoryOf } from '../images/reference.ts';
import { rootsOf } from './roots.ts';
import type { DiskView, SeenVm } from './view.ts';
import type { Zeal } from './zeal.ts';

export interface Removal {
  readonly what: 'vm' | 'golden' | 'tag' | 'content';
  readonly name: string;
  readonly why: string;
  /** If one of these is leased by then, it stays. */
  readonly unlessHeld: readonly string[];
}

export interface GoldenAges {
  /** Since when nobody has referred to this base, in milliseconds of the monotonic clock; undefined: first sight is now. */
  unreferencedSince(golden: string): number | undefined;
}

export interface PlanRules {
  readonly zeal: Zeal;
  readonly nowMs: number;
  readonly ages: GoldenAges;
  readonly minGoldensKept: number;
}

/** Upstream keeps a base for a day after the last Pod that named its image. */
export const GOLDEN_AGE_MS = 24 * 3600 * 1000;

/** VMs of Pods that are no more, and bases that nobody has named for a day. */
export function vmsToRemove(view: DiskView, rules: PlanRules): readonly Removal[] {
  const orphans = orphansIn(view)
    .filter(vm => vm.life === 'stopped')
    .map((vm): Removal => ({ what: 'vm', name: vm.name, why: 'no Pod of this Node has it', unlessHeld: [vm.name] }));
  return [...orphans, ...goldensToRemove(view, rules)];
}

/** VMs of ours that no Pod of this Node has. */
export function orphansIn(view: DiskView): readonly SeenVm[] {
  const expected = new Set(view.pods.flatMap(pod => pod.vms));
  return view.vms.filter(vm => vm.ours && !isGolden(vm.name) && !expected.has(vm.name));
}

function goldensToRemove(view: DiskView, { zeal, nowMs, ages, minGoldensKept }: PlanRules): readonly Removal[] {
  const goldens = view.vms.filter(vm => vm.ours && isGolden(vm.name));
  const isOld = (vm: SeenVm): boolean => nowMs - (ages.unreferencedSince(vm.name) ?? nowMs) >= GOLDEN_AGE_MS;
  const going = goldens
    .filter(vm => vm.life === 'stopped' && !isReferenced(view, vm.name) && (zeal === 'aggressive' || isOld(vm)))
    .sort(byAge);
  const spared = Math.max(0, minGoldensKept - (goldens.length - going.length));
  return going.slice(0, going.length - spared).map(vm => golden(vm.name, 'nobody has named its image for a day'));
}

export const golden = (name: string, why: string): Removal => ({ what: 'golden', name, why, unlessHeld: [name] });

/** A Pod names the image of this base. */
export const isReferenced = (view: DiskView, name: string): boolean =>
  view.pods.some(pod => pod.wantsImage && goldenName(pod.image) === name);

/** Images that no root needs: names first, then the content that nothing names, so that a crash leaves no dangling name. */
export function imagesToRemove(view: DiskView, zeal: Zeal): readonly Removal[] {
  const roots = rootsOf(view, zeal);
  if (roots.unresolved.length > 0) return [];

  const ours = ourContent(view);
  const going = view.images.filter(({ name, contentId }) => {
    if (contentId === undefined || !ours.has(contentId)) return false;
    return !roots.contentIds.has(contentId) && !roots.repositories.has(repositoryOf(name));
  });
  return going
    .sort((a, b) => Number(isContentId(a.name)) - Number(isContentId(b.name)))
    .map(
      ({ name, contentId = name }): Removal => ({
        what: isContentId(name) ? 'content' : 'tag',
        name,
        why: 'no VM on the disk and no Pod of this Node needs it',
        // Whoever pulls or clones holds the name by which it knows the content.
        unlessHeld: [contentId, ...view.images.filter(other => other.contentId === contentId).map(other => other.name)],
      }),
    );
}

/** Content that we pulled; and, in the same repositories, what an agent before us pulled (safe-25). */
function ourContent(view: DiskView): ReadonlySet<string> {
  const recorded = view.imageRecords.map(record => record.contentId);
  const inherited = view.vms.some(vm => vm.ours && vm.record === undefined) ? inOurRepositories(view) : [];
  return new Set([...recorded, ...inherited]);
}

function inOurRepositories(view: DiskView): readonly string[] {
  const repositories = new Set([
    ...view.imageRecords.map(record => repositoryOf(record.contentId)),
    ...view.pods.map(pod => repositoryOf(pod.image)),
  ]);
  return view.images.flatMap(({ contentId }) =>
    contentId !== undefined && repositories.has(repositoryOf(contentId)) ? [contentId] : [],
  );
}

/** The one opened longest ago goes first; unknown counts as oldest. */
const byAge = (a: SeenVm, b: SeenVm): number => (a.accessedMs ?? 0) - (b.accessedMs ?? 0) || (a.name < b.name ? -1 : 1);
