// What keeps an image: VMs on the disk, Pods assigned here, and, where a name cannot be resolved, all it could mean.

import { isContentId, repositoryOf } from '../images/reference.ts';
import type { DiskView, SeenVm } from './view.ts';

export interface Roots {
  readonly contentIds: ReadonlySet<string>;
  /** Repositories in which nothing may go: something there is needed and we do not know what. */
  readonly repositories: ReadonlySet<string>;
  /** A VM of ours whose image nobody knows: no image may go at all. */
  readonly unresolved: readonly string[];
}

export function rootsOf(view: DiskView): Roots {
  const ours = view.vms.filter(seen => seen.ours).map(vm => ({ name: vm.name, root: rootOfVm(vm) }));
  const roots = [
    ...ours.flatMap(({ root }) => root ?? []),
    ...view.pods.filter(pod => pod.wantsImage).map(pod => rootOfName(pod.image, view)),
    // A tag in the cache that does not resolve may point at anything in its repository.
    ...view.images.flatMap(({ name, contentId }) => (contentId === undefined ? repositoryOf(name) : [])),
  ];
  return {
    contentIds: new Set(roots.filter(isContentId)),
    repositories: new Set(roots.filter(root => !isContentId(root))),
    unresolved: ours.filter(({ root }) => root === undefined).map(({ name }) => name),
  };
}

/** What the name stands for on this disk; a name that stands for nothing here keeps its whole repository. */
function rootOfName(image: string, view: DiskView): string {
  if (isContentId(image)) return image;
  return view.images.find(({ name }) => name === image)?.contentId ?? repositoryOf(image);
}

/** Its content; else the repository of the image it was made from; undefined when even that is not known. */
function rootOfVm({ record }: SeenVm): string | undefined {
  return record?.contentId ?? (record === undefined ? undefined : repositoryOf(record.image));
}
