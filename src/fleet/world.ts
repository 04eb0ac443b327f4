// What every controller may touch, made of one way to the API: typed calls, caches and events under one identity.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import { callerOf, client } from '../kube/client.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { servedAmong } from '../kube/discovery.ts';
import { events, type SentEvents } from '../kube/events.ts';
import { caches, type RunningCaches } from '../kube/informer.ts';
import type { Kind } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Identity, Transport } from '../kube/transport.ts';

export interface WorldSetup {
  readonly transport: Transport;
  /** In process: who asks. Over HTTP the connection's credentials say so. */
  readonly identity?: Identity;
  /** The program's name: in `User-Agent`, and as the source of its events. */
  readonly component: string;
  /** The host that the program speaks for, if it is an agent. */
  readonly host?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Told of each object as a list or watch shows it, managedFields included. */
  readonly seen?: (kind: Kind, object: KubeObject) => void;
}

/** A world whose caches run until it is closed. */
export interface OpenWorld extends KubeWorld {
  readonly caches: RunningCaches;
  readonly events: SentEvents;
  /** Those of the kinds that the server serves now, by its discovery. Throws when that gives no clear answer. */
  servedAmong(kinds: readonly Kind[]): Promise<ReadonlySet<Kind>>;
  close(): Promise<void>;
}

export function openWorld({ transport, identity, component, host, seen, ...seams }: WorldSetup): OpenWorld {
  const { clock, random, log, metrics } = seams;
  const options = { clock, userAgent: component, ...(identity === undefined ? {} : { identity }) };
  const api = client(transport, options);
  const caller = callerOf(transport, options);
  const running = caches({
    caller,
    random: random.stream(`caches of ${component}`),
    log,
    metrics,
    ...(seen === undefined ? {} : { seen }),
  });
  return {
    ...seams,
    api,
    caches: running,
    events: events({
      ...seams,
      api,
      component,
      random: random.stream(`events of ${component}`),
      ...(host === undefined ? {} : { host }),
    }),
    servedAmong: kinds => servedAmong(caller, kinds),
    close: () => running.stop(),
  };
}
