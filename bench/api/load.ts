// Carries out many requests with a fixed number of clients, and tells what it took on both sides.

import { type Connection, connection, type Request, type Target, type Watcher, watcher } from './connection.ts';
import { list, PODS } from './pods.ts';
import { cpuMillis } from './resources.ts';

const CLIENTS = 16;

export interface Run {
  readonly count: number;
  readonly ms: number;
  /** This process's CPU time as a share of one core. */
  readonly clientShare: number;
  /** What the server's processes used. */
  readonly serverCpuMs: number;
}

/** The clients and watchers of one server. */
export class Load {
  readonly #target: Target;
  readonly #pids: readonly number[];
  #clients: readonly Connection[] = [];
  #watchers: readonly Watcher[] = [];

  constructor(target: Target, pids: readonly number[]) {
    this.#target = target;
    this.#pids = pids;
  }

  async open(): Promise<void> {
    this.#clients = await Promise.all(Array.from({ length: CLIENTS }, () => connection(this.#target)));
  }

  /** Watches the Pods from now on, so many times. */
  async watch(count: number): Promise<void> {
    this.#closeWatchers();
    const path = `${PODS}?watch=1&resourceVersion=${await this.#newest()}&timeoutSeconds=3600`;
    const opened: Watcher[] = [];
    for (let n = 0; n < count; n += 1) opened.push(await watcher(this.#target, path));
    this.#watchers = opened;
  }

  /** Asks `make(0)` to `make(count - 1)`; every answer must be a success. */
  run(count: number, make: (n: number) => Request): Promise<Run> {
    return this.#measured(count, () => this.#all(count, make));
  }

  /** The same, until every watcher that the server has not let go of has seen all events: those are what is counted. */
  async deliver(count: number, make: (n: number) => Request): Promise<Run> {
    const before = this.#watchers.map(one => one.events());
    const left = (): boolean =>
      this.#watchers.some((one, n) => one.isOpen() && one.events() - (before[n] ?? 0) < count);
    const seen = (): number => this.#watchers.reduce((sum, one, n) => sum + one.events() - (before[n] ?? 0), 0);
    const run = await this.#measured(0, async () => {
      await this.#all(count, make);
      while (left()) await new Promise(resolve => setTimeout(resolve, 1));
    });
    return { ...run, count: seen() };
  }

  /** Watchers that the server has let go of. */
  lost(): number {
    return this.#watchers.filter(one => !one.isOpen()).length;
  }

  close(): void {
    this.#closeWatchers();
    for (const client of this.#clients) client.close();
  }

  #closeWatchers(): void {
    for (const one of this.#watchers) one.close();
    this.#watchers = [];
  }

  async #newest(): Promise<string> {
    const answer = await this.#clients[0]?.send(list(1));
    return /"resourceVersion":"(\d+)"/.exec(answer?.start ?? '')?.[1] ?? '';
  }

  async #all(count: number, make: (n: number) => Request): Promise<void> {
    let next = 0;
    const work = async (client: Connection): Promise<void> => {
      while (next < count) {
        const request = make(next++);
        const { status, start } = await client.send(request);
        if (status >= 300) throw new Error(`${request.method} ${request.path} answered ${status}: ${start}`);
      }
    };
    await Promise.all(this.#clients.map(work));
  }

  async #measured(count: number, work: () => Promise<void>): Promise<Run> {
    const [cpuBefore, serverBefore, start] = [process.cpuUsage(), cpuMillis(this.#pids), performance.now()];
    await work();
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpuBefore);
    const clientShare = (user + system) / 1000 / ms;
    return { count, ms, clientShare, serverCpuMs: cpuMillis(this.#pids) - serverBefore };
  }
}
