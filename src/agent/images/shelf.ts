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
  readonly forUid: string;
}

export interface Shelf {
  /** Ready, or how far the work is; throws what the last try threw, once, and tries anew at the next asking. */
  base(order: Order): Promise<BaseState>;
  /** Forgets what was made ready for this Pod. */
  forget(uid: string): void;
}

interface Job {
  percent: number;
  /** The Pods that this job serves: those that came later with `Always` need another one. */
  readonly serves: Set<string>;
  outcome: { readonly base: Base } | { readonly error: unknown } | undefined;
}

export function shelf(world: BaseWorld): Shelf {
  const jobs = new Map<string, Job>();
  const served = new Map<string, Base>();

  function start({ image, policy }: Order): Job {
    const job: Job = { percent: 0, serves: new Set(), outcome: undefined };
    const onProgress = (percent: number): void => {
      job.percent = percent;
    };
    ensureBase({ image, policy, onProgress }, world).then(
      base => {
        job.outcome = { base };
        for (const uid of job.serves) served.set(uid, base);
        jobs.delete(image);
      },
      (error: unknown) => {
        job.outcome = { error };
      },
    );
    jobs.set(image, job);
    return job;
  }

  return {
    forget: uid => void served.delete(uid),
    base: async order => {
      const done = served.get(order.forUid);
      if (done !== undefined) return { kind: 'ready', base: done };
      const running = jobs.get(order.image);
      if (running === undefined && order.policy !== 'Always') {
        const base = await readyBase(order.image, world);
        if (base !== undefined) return { kind: 'ready', base };
      }
      const job = jobs.get(order.image) ?? start(order);
      job.serves.add(order.forUid);
      if (job.outcome !== undefined && 'error' in job.outcome) {
        jobs.delete(order.image);
        throw job.outcome.error;
      }
      return { kind: 'working', percent: job.percent };
    },
  };
}
