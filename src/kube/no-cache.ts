// What stands for the cache of a kind that the server does not serve: complete, and for ever empty. Nothing is asked for it.

import type { Informer } from './cache.ts';
import type { Kind } from './kind.ts';
import type { KubeObject } from './object.ts';

export const emptyCacheOf = <T extends KubeObject>(kind: Kind<T>): Informer<T> => ({
  kind,
  get: () => undefined,
  list: () => [],
  by: () => [],
  index: () => undefined,
  onChange: () => () => undefined,
  synced: true,
  whenSynced: () => Promise.resolve(),
});
