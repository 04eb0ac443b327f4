// Which kinds a cluster serves now, by its discovery: asked at the start, when a definition comes or goes, and on a timer.

import { minutes, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { Alarm } from '../../kube/alarm.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { type Kind, metadataOf, resourceName } from '../../kube/kind.ts';
import type { OpenWorld } from '../world.ts';

type Asking = Pick<KubeWorld, 'caches' | 'clock' | 'log'> & Pick<OpenWorld, 'servedAmong'>;

/** The watch on definitions tells at once; this is for what it misses. */
const RECHECK_MS = minutes(5);

/** After an answer that was none. */
const RETRY_MS = seconds(5);

export class ServedKinds {
  readonly #world: Asking;
  readonly #kinds: readonly Kind[];
  #served: ReadonlySet<string> | undefined;
  #defined: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  /** Of these kinds; Kubernetes' own are served by every cluster, and are not asked about. */
  constructor(world: Asking, kinds: readonly Kind[]) {
    this.#world = world;
    this.#kinds = [...new Map(kinds.filter(isDefined).map(kind => [nameOf(kind), kind])).values()];
  }

  /** Those of the kinds that are not served. As long as nothing is known, none counts as served. */
  missing(kinds: readonly Kind[]): readonly Kind[] {
    return kinds.filter(kind => isDefined(kind) && this.#served?.has(nameOf(kind)) !== true);
  }

  /** As people know it, with its version where the definition is there: then it is that version which is not served. */
  textOf(kind: Kind): string {
    const name = resourceName(kind);
    return this.#defined.has(name) ? `${name} in version ${kind.version}` : name;
  }

  /** Whether the server has said anything yet. */
  get isKnown(): boolean {
    return this.#served !== undefined;
  }

  /** The returned function ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps looking until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { caches, clock } = this.#world;
    const alarm = new Alarm(clock);
    const ours = new Set(this.#kinds.map(resourceName));
    const unsubscribe = caches.of(metadataOf(CustomResourceDefinition)).onChange(({ object }) => {
      if (ours.has(object.metadata.name)) alarm.ring();
    });
    try {
      while (!signal.aborted) {
        const isClear = await this.#look();
        await alarm.sleep(isClear ? RECHECK_MS : RETRY_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
    }
  }

  /** In whatever version. */
  #isDefinedHere(name: string): boolean {
    return this.#world.caches.of(metadataOf(CustomResourceDefinition)).get({ name }) !== undefined;
  }

  /** An answer that is none changes nothing (safe-1): what is on stays on. */
  async #look(): Promise<boolean> {
    try {
      const served = await this.#world.servedAmong(this.#kinds);
      const [before, defined] = [this.#served, this.#defined];
      this.#served = new Set([...served].map(nameOf));
      this.#defined = new Set(this.#kinds.map(resourceName).filter(name => this.#isDefinedHere(name)));
      if (!sameSets(before, this.#served) || !sameSets(defined, this.#defined))
        for (const listener of this.#listeners) listener();
      return true;
    } catch (error) {
      this.#world.log.warn('The cluster does not say which kinds it serves; it is asked again', {
        error: messageOf(error),
      });
      return false;
    }
  }
}

/** By a definition, so that it may be missing. */
const isDefined = ({ group }: Kind): boolean => group.includes('.') && !group.endsWith('.k8s.io');

const nameOf = (kind: Kind): string => `${resourceName(kind)}/${kind.version}`;

const sameSets = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string>): boolean =>
  one !== undefined && one.size === other.size && [...one].every(each => other.has(each));
