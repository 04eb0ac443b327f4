// Leader election on a Lease: who may write, for how long, and how the next one takes over.

import { type Clock, seconds } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { linkedSignal } from '../base/linked-signal.ts';
import type { Log } from '../base/log.ts';
import type { Gauge, Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import type { Api } from './api.ts';
import { client } from './client.ts';
import { Lease } from './core/node.ts';
import { LeaderGate, type LeaseProof } from './leader-gate.ts';
import { LeaseSight, letGo, newLease, noted, taken } from './lease.ts';
import type { ObjectKey } from './object.ts';
import type { Transport } from './transport.ts';

export interface LeaderOptions {
  /** Not through the gate: renewing must always be possible. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly namespace: string;
  readonly name: string;
  /** Unique to this run of this program: a name and a random part. */
  readonly identity: string;
}

/** Others take the lease when they saw it unchanged for this long by their own clock. */
const DURATION_MS = seconds(15);

/** A holder that proved its lease may write for this long. The difference is what clocks may disagree by, in rate. */
const VALID_MS = seconds(10);

const RETRY_MS = seconds(2);

/** An answer that takes longer is no good: there must be time for a second try within one validity. */
const ANSWER_MS = seconds(4);

/** One program's part in the election. */
export class Election {
  /** Every write of what leads goes through it. */
  readonly gate: LeaderGate;
  private readonly options: LeaderOptions;
  private readonly api: Api;
  private readonly sight = new LeaseSight();
  private readonly leading: Gauge;
  private told: string | undefined;

  constructor(options: LeaderOptions) {
    const { clock, transport, metrics } = options;
    this.options = options;
    this.gate = new LeaderGate(clock, VALID_MS);
    this.api = client(transport, { clock, timeoutMs: ANSWER_MS, userAgent: 'pippin-leader-election' });
    this.leading = metrics.gauge({
      name: 'pippin_leader',
      help: 'Whether this program leads: 1 or 0',
      labels: ['lease'],
    });
  }

  /**
   * Runs `work` whenever this program leads, until `signal` aborts or `work` ends by itself. The signal that `work`
   * gets aborts when the lead is lost; only after it has ended is the lead sought again. While it winds down after
   * `signal`, the lease is still renewed, and then let go, so that a successor need not wait.
   */
  async lead(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (await this.acquired(signal)) {
      const lost = new AbortController();
      const over = new AbortController();
      const stop = linkedSignal(signal, lost.signal);
      const keeping = this.keep(over.signal, lost);
      try {
        await work(stop.signal);
      } finally {
        over.abort(new Error('the work has ended'));
        await keeping;
        stop.release();
        await this.end(lost.signal);
      }
      if (!lost.signal.aborted) return;
    }
  }

  /** Told on the lease with its next renewal, until it is let go; undefined: nothing any more. */
  note(text: string | undefined): void {
    this.told = text;
  }

  /** The lease as it was last read or written. */
  seen(): Lease | undefined {
    return this.sight.lease;
  }

  /** Resolves true when this program leads, false when `signal` aborts. */
  private async acquired(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.attempt()) return this.begin();
      await this.pause(signal);
    }
    return false;
  }

  private begin(): boolean {
    const { log, name, identity } = this.options;
    log.info('This program leads', { lease: name, identity });
    this.leading.set(1, { lease: name });
    return true;
  }

  /** Renews until `over` aborts, or until the lead is lost: another has it, or no proof came in time. */
  private async keep(over: AbortSignal, lost: AbortController): Promise<void> {
    const { clock, log, name, identity } = this.options;
    let provedMs = clock.monotonic();
    while (!over.aborted) {
      await this.pause(over);
      const begunMs = clock.monotonic();
      if (over.aborted) return;
      if (await this.attempt()) provedMs = begunMs;
      else if (this.sight.isNotOf(identity) || clock.monotonic() - provedMs >= VALID_MS) break;
    }
    if (over.aborted) return;
    this.gate.close('A write');
    log.warn('The lead is lost; what goes on is stopped', { lease: name });
    lost.abort(new Error('the lead is lost'));
  }

  private async pause(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.options;
    await clock.sleep(RETRY_MS + random.below(RETRY_MS / 5), signal).catch(() => undefined);
  }

  /** Takes or renews the lease, if that may be done now. False: not proved this time. */
  private async attempt(): Promise<boolean> {
    const { clock, identity, log } = this.options;
    try {
      if (!this.sight.isOf(identity)) await this.look();
      if (!this.sight.isFreeFor(identity, clock.monotonic(), DURATION_MS)) return false;
      await this.take();
      return true;
    } catch (error) {
      log.warn('The lease could not be taken or renewed', { error: messageOf(error) });
      // What the server holds now is not what we thought, or not known: next time it is read first.
      await this.look().catch(() => undefined);
      return false;
    }
  }

  private async look(): Promise<void> {
    const lease = await this.api.find(Lease, this.key());
    this.sight.see(lease, this.options.clock.monotonic());
  }

  private async take(): Promise<void> {
    const { clock, identity } = this.options;
    // The proof counts from before the request: others see the lease change no earlier than that.
    const proof: LeaseProof = { monotonicMs: clock.monotonic(), wallMs: clock.now() };
    const { lease } = this.sight;
    const written =
      lease === undefined
        ? await this.api.create(Lease, newLease(this.key(), identity, DURATION_MS, proof.wallMs))
        : await this.api.update(Lease, noted(taken(lease, identity, DURATION_MS, proof.wallMs), this.told));
    this.sight.see(written, clock.monotonic());
    this.gate.open(proof);
  }

  private key(): ObjectKey {
    const { namespace, name } = this.options;
    return { namespace, name };
  }

  /** After the last write: a lease that is still ours is let go. Failing that, the successor waits its time. */
  private async end(lost: AbortSignal): Promise<void> {
    const { clock, log, name } = this.options;
    this.leading.set(0, { lease: name });
    this.gate.close('A write after the end');
    const { lease } = this.sight;
    if (lost.aborted || lease === undefined) return;
    try {
      this.sight.see(await this.api.update(Lease, noted(letGo(lease, clock.now()), undefined)), clock.monotonic());
    } catch (error) {
      log.warn('The lease could not be let go; it runs out by itself', { error: messageOf(error) });
    }
  }
}
