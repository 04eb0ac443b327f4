// A world for the tests of this folder: the tiny API, virtual time, and metrics that can be read.

import { type VirtualClock, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { silentLog } from '../base/log.ts';
import { type Metrics, noMetrics } from '../base/metrics.ts';
import { callerOf, client } from './client.ts';
import type { KubeWorld } from './controller.ts';
import { caches, type RunningCaches } from './informer.ts';
import { TinyApi } from './tiny-api.testing.ts';
import type { EventStream, Transport } from './transport.ts';

export interface TestWorld extends KubeWorld {
  readonly clock: VirtualClock;
  readonly server: TinyApi;
  readonly caches: RunningCaches;
  /** What a counter has come to, over all its labels. */
  readonly counted: (name: string) => number;
  /** From now on every watch event comes this much later. */
  readonly delayWatches: (ms: number) => void;
  /** From now on every list and watch is answered with this status, and open watches break; undefined: no more. */
  readonly refuseReads: (status: number | undefined) => void;
}

export function aKubeWorld(): TestWorld {
  const server = new TinyApi();
  const clock = virtualClock();
  let delayMs = 0;
  const late = (stream: EventStream): EventStream => {
    const closed = new AbortController();
    return {
      close: reason => {
        stream.close(reason);
        closed.abort();
      },
      next: async () => {
        const frame = await stream.next();
        if (delayMs > 0) await clock.sleep(delayMs, closed.signal).catch(() => undefined);
        return closed.signal.aborted ? undefined : frame;
      },
    };
  };
  let refused: number | undefined;
  const transport: Transport = async request => {
    if (refused !== undefined && request.method === 'GET')
      return { status: refused, headers: {}, body: new Uint8Array() };
    const answer = await server.transport(request);
    return answer.stream === undefined ? answer : { ...answer, stream: late(answer.stream) };
  };
  const random = seededRandom(1);
  const { metrics, counted } = counting();
  return {
    server,
    clock,
    random,
    metrics,
    counted,
    log: silentLog,
    events: { normal: () => undefined, warning: () => undefined },
    api: client(transport, { clock }),
    caches: caches({ caller: callerOf(transport, { clock }), random, log: silentLog, metrics }),
    refuseReads: status => {
      refused = status;
      for (const stream of status === undefined ? [] : server.open) stream.break();
    },
    delayWatches: ms => {
      delayMs = ms;
    },
  };
}

function counting(): { metrics: Metrics; counted: (name: string) => number } {
  const counts = new Map<string, number>();
  const counter: Metrics['counter'] = ({ name }) => ({
    add: (_labels, by = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + by);
    },
  });
  return { metrics: { ...noMetrics, counter }, counted: name => counts.get(name) ?? 0 };
}
