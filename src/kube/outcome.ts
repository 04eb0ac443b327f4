// How a pass or a step ends: done, or waiting on something named, in words a user reads, with a timer all the same.

import type { Ref } from './api.ts';
import type { Condition } from './object.ts';

/** What a step wants written. The runtime writes spec and metadata at once, status once at the end of the pass. */
export interface Change {
  /** Merge patches: absent keys stay, null removes. */
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** Conditions beside the step's own, by type. `null` as status removes it. */
  readonly conditions?: readonly (
    | Omit<Condition, 'lastTransitionTime'>
    | { readonly type: string; readonly status: null }
  )[];
}

export interface Done {
  readonly kind: 'done';
  readonly change?: Change;
  /** Looks again after this long, although nothing is waited for. */
  readonly recheckMs?: number;
}

/** Something outside the API that is waited on: a port's thing, such as `{ port: 'scaleway', subject: 'server 42' }`, or `time`. */
export interface Outside {
  readonly port: string;
  readonly subject: string;
}

export interface Wait {
  readonly kind: 'wait';
  readonly on: Ref | Outside;
  /** What is waited for, as the condition's message says it: "the host to be released". */
  readonly what: string;
  readonly recheckMs: number;
  /** CamelCase, for the condition; `Waiting` unless told otherwise. */
  readonly reason?: string;
  readonly change?: Change;
  /**
   * Nothing is waited for but the change to be on record. It is once the server has taken it, so the step or deletion
   * is run again at once, and once, on the object that the server answered, before any other object's turn.
   */
  readonly onceRecorded?: 'go on';
  /** Nothing is told of it, and what was told before stands: it is about to end, or the next look tells. */
  readonly unsaid?: true;
}

export type Outcome = Done | Wait;

export function done(change?: Change, recheckMs?: number): Done {
  return {
    kind: 'done',
    ...(change === undefined ? {} : { change }),
    ...(recheckMs === undefined ? {} : { recheckMs }),
  };
}

/** Waits on an API object (watched) or a port (timed); `recheckMs` is the timer all the same. */
export function wait(
  on: Ref | Outside,
  what: string,
  recheckMs: number,
  more: Pick<Wait, 'reason' | 'change' | 'onceRecorded' | 'unsaid'> = {},
): Wait {
  return { kind: 'wait', on, what, recheckMs, ...more };
}

export const isOutside = (on: Ref | Outside): on is Outside => 'port' in on;
