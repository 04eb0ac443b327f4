// What keeps an image: VMs on the disk, Pods assigned here, and, where a name cannot be resolved, all it could mean.

import { isContentId, repositoryOf } from '../images/reference.ts';
import type { DiskView, SeenVm } from './view.ts';
import type { Zeal } from './zeal.ts';

export interface Roots {
  readonly contentIds: ReadonlySet<string>;
  /** Repositories in which nothing may go: something there is needed and we do not know what. */
  readonly repositories: ReadonlySet<string>;
  /** A VM of ours whose image nobody knows: no image may go at all. */
  readonly unresolved: readonly string[];
}

export function rootsOf(view: DiskView, zeal: Zeal): Roots {
  const ours = view.vms.filter(seen => seen.ours).map(vm => ({ name: vm.name, root: rootOfVm(vm) }));
  const roots = [
    ...ours.flatMap(({ root }) => root ?? []),
    ...view.pods.filter(pod => pod.wantsImage).flatMap(pod => rootOfName(pod.image, view, zeal)),
    // A tag in the cache that does not resolve may point at anything in its repository.
    ...view.images.flatMap(({ name, contentId }) => (contentId === undefined ? repositoryOf(name) : [])),
  ];
  return {
    contentIds: new Set(roots.filter(isContentId)),
    repositories: new Set(roots.filter(root => !isContentId(root))),
    unresolved: ours.filter(({ root }) => root === undefined).map(({ name }) => name),
  };
}

/**
 * What the name stands for on this disk. A name that is not here keeps its repository, for its content may be and only
 * lack the name (https://github.com/openai/tart/issues/1293); but not when space is needed to bring it.
 */
function rootOfName(image: string, view: DiskView, zeal: Zeal): readonly string[] {
  if (isContentId(image)) return [image];
  const known = view.images.find(({ name }) => name === image)?.contentId;
  if (known !== undefined) return [known];
  return zeal === 'aggressive' ? [] : [repositoryOf(image)];
}

/** Its content; else the repository of the image it was made from; undefined when even that is not known. */
function rootOfVm({ record }: SeenVm): string | undefined {
  return record?.contentId ?? (record === undefined ? undefined : repositoryOf(record.image));
}
