// Bases for Pods that cannot wait in their pass: work goes on beside it, shared by all Pods of an image.

import { type Base, type BaseWorld, ensureBase, type PullPolicy, readyBase } from './base.ts';

/** What a Pod gets when it asks for its base. */
export type BaseState =
  | { readonly kind: 'ready'; readonly base: Base }
  | { readonly kind: 'working'; readonly percent: number };

/** Who asks for what. */
export interface Order {
  readonly image: string;
  readonly policy: PullPolicy;
  /** The Pod's UID: with `Always` the registry is asked once for each. */
  readonly uid: string;
  /** Called when the work has ended, well or not, and at each tenth of it. */
  readonly wake: () => void;
}

export interface Shelf {
  /** Ready, or how far the work is; throws what the last try threw, once, and tries anew at the next asking. */
  base(order: Order): Promise<BaseState>;
  /** Forgets what was made ready for this Pod. */
  forget(uid: string): void;
}

interface Job {
  percent: number;
  /** The Pods that this job serves, by UID. */
  readonly serves: Map<string, () => void>;
}

type Served = { readonly base: Base } | { readonly error: unknown };

export function shelf(world: BaseWorld): Shelf {
  const jobs = new Map<string, Job>();
  const served = new Map<string, Served>();

  function start({ image, policy }: Order): Job {
    const job: Job = { percent: 0, serves: new Map() };
    const onProgress = (percent: number): void => {
      const isNews = inTens(percent) !== inTens(job.percent);
      job.percent = percent;
      if (isNews) for (const wake of job.serves.values()) wake();
    };
    const settle = (of: (position: number) => Served): void => {
      jobs.delete(image);
      [...job.serves].forEach(([uid, wake], position) => {
        served.set(uid, of(position));
        wake();
      });
    };
    jobs.set(image, job);
    ensureBase({ image, policy, onProgress }, world).then(
      // The cold start is the first Pod's; the others find the base made.
      base => settle(position => ({ base: position === 0 ? base : warm(base) })),
      (error: unknown) => settle(() => ({ error })),
    );
    return job;
  }

  return {
    forget: uid => void served.delete(uid),
    base: async order => {
      const outcome = served.get(order.uid);
      if (outcome !== undefined && 'error' in outcome) {
        served.delete(order.uid);
        throw outcome.error;
      }
      if (outcome !== undefined) return { kind: 'ready', base: outcome.base };
      // A Pod that waits for a job takes what that makes; another need not wait for a job that checks a base it has.
      if (order.policy !== 'Always' && jobs.get(order.image)?.serves.has(order.uid) !== true) {
        const base = await readyBase(order.image, world);
        if (base !== undefined) return { kind: 'ready', base };
      }
      const job = jobs.get(order.image) ?? start(order);
      job.serves.set(order.uid, order.wake);
      return { kind: 'working', percent: job.percent };
    },
  };
}

/** Progress is told in tens: a status write for each percent helps nobody. */
export const inTens = (percent: number): number => Math.floor(percent / 10) * 10;

function warm({ golden, contentId }: Base): Base {
  return contentId === undefined ? { golden } : { golden, contentId };
}
