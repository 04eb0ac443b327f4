// What a controller is, in types: the kind it keeps, what wakes it, and its steps. `run.ts` runs it.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import type { Api, ListOptions } from './api.ts';
import type { Caches } from './cache.ts';
import type { Verdict } from './conditions.ts';
import type { Kind } from './kind.ts';
import type { KubeObject, ObjectKey } from './object.ts';
import type { Outcome } from './outcome.ts';

/** Tells people what happened to an object: a Kubernetes Event, repeated ones counted. Never throws, never blocks a pass. */
export interface Events {
  /** `component`: the part of the program that says it, where that has a name of its own. */
  normal(about: KubeObject, reason: string, message: string, component?: string): void;
  warning(about: KubeObject, reason: string, message: string): void;
}

/** What every controller may touch. Domains extend it with their ports. */
export interface KubeWorld {
  readonly api: Api;
  readonly caches: Caches;
  readonly events: Events;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /**
   * `outside only`: waits on API objects set no timer. For the standing run that proves that each of them has a watch too.
   */
  readonly rechecks?: 'outside only';
  /** Objects for which this answers false are others' to look after: controllers that work by key pass them by. */
  readonly concerns?: (object: KubeObject) => boolean;
  /** Whether the server serves a kind that a controller can do without. Left out: all are served. */
  readonly serves?: (kind: Kind) => boolean;
}

/** Changes of another kind that wake this controller: which keys each change concerns. */
export interface WokenBy<W> {
  readonly kind: Kind;
  readonly selection?: ListOptions;
  /** Keys of the controller's own kind to look at; reads caches only. */
  keysFor(object: KubeObject, world: W): readonly ObjectKey[];
  /** Asked of updates alone: one for which it answers false wakes nobody. Left out: each may. */
  readonly matters?: (now: KubeObject, before: KubeObject) => boolean;
}

/** A cache that passes read: of a kind, or of a selection of it. */
export type CacheRead = Kind | { readonly of: Kind; readonly selection: ListOptions };

/** A noun that owns a condition. Can be called again at any time. */
export interface Step<T extends KubeObject, W> {
  readonly condition: string;
  run(object: T, world: W): Promise<Outcome>;
}

/** How an object of this kind is taken apart. While its pass waits, the finalizer stays. */
export interface Deletion<T extends KubeObject, W> {
  readonly finalizer: string;
  /** `done` means: nothing is left that the finalizer protects. */
  run(object: T, world: W): Promise<Outcome>;
}

/** A controller made of steps. */
export interface StepController<T extends KubeObject, W> {
  /** Unique; labels metrics, logs and events. */
  readonly name: string;
  readonly kind: Kind<T>;
  readonly selection?: ListOptions;
  readonly wokenBy?: readonly WokenBy<W>[];
  /** Kinds whose caches the steps read: synced before the first pass, and not older than own writes at each pass. */
  readonly reads?: readonly Kind[];
  /** In order; a step that waits or fails holds those after it. */
  readonly inOrder?: readonly Step<T, W>[];
  /** Run on every pass, whatever the order waits for. */
  readonly always?: readonly Step<T, W>[];
  readonly deletion?: Deletion<T, W>;
  /** Objects for which this answers true are left alone (paused); deletion runs all the same unless `pausesDeletion`. */
  readonly paused?: (object: T, world: W) => boolean;
  readonly pausesDeletion?: (object: T, world: W) => boolean;
  /**
   * The condition by which an object says whether it is left alone: the one write to an object that is. Undefined:
   * nothing is to be written to this one at all.
   */
  readonly pauseShown?: (object: T, world: W) => Verdict | undefined;
  /** Called once at the start, for what is no API object (a port that tells of changes); `wake` puts a key in the queue. */
  readonly wakes?: (world: W, wake: (key: ObjectKey) => void) => void;
  /** How many objects at once; one key is never run twice at once. 4 unless told otherwise. */
  readonly workers?: number;
  /** Derives status fields from what the pass ended with, just before the one status write. */
  readonly summarize?: (object: T, pass: PassSummary) => Readonly<Record<string, unknown>>;
}

/** A controller that is one function: for those without steps and conditions of their own (garbage collector, scheduler ...). */
export interface KeyController<W> {
  readonly name: string;
  readonly kind: Kind;
  readonly selection?: ListOptions;
  readonly wokenBy?: readonly WokenBy<W>[];
  /** Caches that passes read: synced before the first pass, and not older than own writes at each pass. */
  readonly reads?: readonly CacheRead[];
  /** Of the kinds above those that it can do without: where one is not served, its cache is empty (see `world.serves`). */
  readonly dispensable?: readonly Kind[];
  readonly workers?: number;
  /** Objects of its own kind for which this answers false, as they are and as they were, need no pass. */
  readonly heeds?: (object: KubeObject) => boolean;
  /**
   * `spared`: a pass concludes from the answers to its own writes, so that the watch event that only echoes one does not
   * wake the key that made it. Left out: every change does.
   */
  readonly echoes?: 'spared';
  /** For kinds that are known only at run time: called once at the start; `wake` puts a key in the queue. */
  readonly wakes?: (world: W, wake: (key: ObjectKey) => void) => void;
  /** `object` is undefined when it is gone from the cache. */
  pass(key: ObjectKey, object: KubeObject | undefined, world: W): Promise<Outcome>;
}

/** A loop on a timer, for what has no key of its own (sweeps). `everyMs` counts from the end of a pass. */
export interface Periodic<W> {
  readonly name: string;
  readonly everyMs: number;
  /** The first pass waits this long after the start (safe-22). */
  readonly firstAfterMs: number;
  readonly reads?: readonly Kind[];
  /** Called once at the start; `wake` starts the next pass before its time (after the one that runs, if one does). */
  readonly wakes?: (world: W, wake: () => void) => void;
  pass(world: W): Promise<void>;
}

/** What a pass came to, for `summarize`. */
export interface PassSummary {
  readonly deleting: boolean;
  /** Condition type of the step that waits or failed, if one does. */
  readonly heldBy?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly failed: boolean;
}
