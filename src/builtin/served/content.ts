// Everything that exists, of every kind that is served: informers that follow discovery as kinds come and go.

import type { CacheChange, Caches, Informer } from '../../kube/cache.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Discovery, ServedKind } from './discovery.ts';
import { Places } from './places.ts';

/** An object and the kind under which it is served. */
export interface Found {
  readonly kind: Kind;
  readonly object: KubeObject;
}

export interface ContentChange extends CacheChange<KubeObject> {
  readonly kind: Kind;
}

export interface Content {
  /** Asks discovery and starts informers for what is new. Throws when discovery does. */
  refresh(): Promise<void>;
  /** Whether every kind that is served has been read completely, and discovery named them all (safe-3). */
  isComplete(): boolean;
  /** The served kind of this group and name, in whatever version. */
  kindOf(group: string, kind: string): Kind | undefined;
  kinds(): readonly Kind[];
  withUid(uid: string): Found | undefined;
  dependentsOf(uid: string): readonly Found[];
  all(): readonly Found[];
  inNamespace(namespace: string): readonly Found[];
  onChange(listener: (change: ContentChange) => void): void;
}

interface Watched {
  readonly kind: ServedKind;
  readonly informer: Informer<KubeObject>;
  readonly stop: () => void;
}

/** Events own nothing and are owned by nothing; there are too many of them to keep. */
const IGNORED = new Set(['events', 'events.events.k8s.io']);

export function contentOf(caches: Caches, discovery: Discovery): Content {
  const watched = new Map<string, Watched>();
  const places = new Places();
  const listeners: ((change: ContentChange) => void)[] = [];
  let named = false;

  const found = (query: (informer: Informer<KubeObject>) => readonly KubeObject[]): readonly Found[] =>
    [...watched.values()].flatMap(({ kind, informer }) => query(informer).map(object => ({ kind, object })));

  function start(kind: ServedKind): Watched {
    const informer = caches.of<KubeObject>(bare(kind));
    // First the places, then those who ask for them.
    const stops = [
      places.follow(kind, informer),
      informer.onChange(change => {
        for (const listener of listeners) listener({ ...change, kind });
      }),
    ];
    const stop = (): void => {
      for (const each of stops) each();
    };
    return { kind, informer, stop };
  }

  return {
    async refresh() {
      const { kinds, failed } = await discovery();
      const wanted = new Map(kinds.filter(isFollowed).map(kind => [resourceName(kind), kind]));
      for (const [name, { stop, kind }] of watched) {
        if (wanted.has(name) || failed.includes(`${kind.group}/${kind.version}`)) continue;
        stop();
        watched.delete(name);
      }
      for (const [name, kind] of wanted) {
        if (!watched.has(name)) watched.set(name, start(kind));
      }
      named = failed.length === 0;
    },
    isComplete: () => named && [...watched.values()].every(({ informer }) => informer.synced),
    kindOf: (group, kind) =>
      [...watched.values()].find(entry => entry.kind.group === group && entry.kind.kind === kind)?.kind,
    kinds: () => [...watched.values()].map(({ kind }) => kind),
    withUid: uid => places.withUid(uid),
    dependentsOf: uid => places.dependentsOf(uid),
    all: () => found(informer => informer.list()),
    inNamespace: namespace => found(informer => (informer.kind.namespaced ? informer.list(namespace) : [])),
    onChange: listener => {
      listeners.push(listener);
    },
  };
}

/** What can be listed, watched and deleted: the rest cannot be collected either. */
function isFollowed(kind: ServedKind): boolean {
  return ['list', 'watch', 'delete'].every(verb => kind.verbs.includes(verb)) && !IGNORED.has(resourceName(kind));
}

/** Without the verbs, so that the informer is the one that other controllers share. */
function bare({ group, version, kind, plural, namespaced }: ServedKind): Kind {
  return { group, version, kind, plural, namespaced };
}
