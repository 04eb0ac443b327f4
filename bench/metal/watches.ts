// The watches that the managers keep open, opened without them: a server's writes cost more with every watch.

import { ipamControllers } from '../../src/ipam/index.ts';
import { type Kind, pathOf, resourceName } from '../../src/kube/kind.ts';
import { metalControllers } from '../../src/metal/index.ts';
import { type Target, watcher } from '../api/connection.ts';

/** One for each kind that a half follows; each half has caches of its own. */
export async function sameWatches(target: Target): Promise<{ close(): void }> {
  const halves = [metalControllers(), ipamControllers()];
  const kinds = halves.flatMap(half => distinct(half.flatMap(({ kinds = [] }) => kinds)));
  const opened = await Promise.all(kinds.map(kind => watcher(target, pathOfWatch(kind))));
  return {
    close: () => {
      for (const each of opened) each.close();
    },
  };
}

const pathOfWatch = (kind: Kind): string => `${pathOf(kind, {})}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600`;

const distinct = (kinds: readonly Kind[]): readonly Kind[] => [
  ...new Map(kinds.map(kind => [resourceName(kind), kind])).values(),
];
