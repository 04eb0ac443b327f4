// Which Datas their Claims have let go of: that the Claim is gone may show in a cache before the deletion of its Data does.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';

type Cached = Pick<KubeWorld, 'caches'>;

const known = new WeakMap<Informer<Metal3Data>, Set<string>>();

/** UIDs, each until its Data is gone. */
function letGoIn({ caches }: Cached): Set<string> {
  const informer = caches.of(Metal3Data);
  const before = known.get(informer);
  if (before !== undefined) return before;
  const uids = new Set<string>();
  informer.onChange(({ type, object }) => {
    if (type === 'deleted') uids.delete(object.metadata.uid ?? '');
  });
  known.set(informer, uids);
  return uids;
}

/** Its deletion was answered, and the cache has it still. */
export function noteLetGo({ metadata }: Metal3Data, world: Cached): void {
  const there = world.caches.of(Metal3Data).get(metadata);
  if (metadata.uid !== undefined && there?.metadata.uid === metadata.uid) letGoIn(world).add(metadata.uid);
}

export const isLetGo = ({ metadata }: Metal3Data, world: Cached): boolean => letGoIn(world).has(metadata.uid ?? '');
