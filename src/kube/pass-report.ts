// What a controller says about its passes: how many are due, how long they take, and which failed, with what.

import { InvariantBroken, messageOf, PippinError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../base/metrics.ts';
import type { Queue } from './queue.ts';

/** Metrics and log lines of one controller's passes. */
export class PassReport {
  private readonly controller: string;
  private readonly log: Log;
  private readonly depth: Gauge;
  private readonly seconds: Histogram;
  private readonly failures: Counter;
  private readonly invariants: Counter;
  private readonly held: Counter;

  constructor(controller: string, metrics: Metrics, log: Log) {
    this.controller = controller;
    this.log = log;
    this.depth = metrics.gauge({
      name: 'pippin_queue_depth',
      help: 'Objects that are due for a pass, by controller and lane',
      labels: ['controller', 'lane'],
    });
    this.seconds = metrics.histogram({
      name: 'pippin_pass_seconds',
      help: 'How long passes take, by controller and outcome',
      labels: ['controller', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    });
    this.failures = metrics.counter({
      name: 'pippin_pass_failures_total',
      help: 'Passes that failed, by controller and error code',
      labels: ['controller', 'code'],
    });
    this.held = metrics.counter({
      name: 'pippin_passes_held_back_total',
      help: 'Passes that had to wait because their object had too many within a second: a loop of own writes',
      labels: ['controller'],
    });
    this.invariants = metrics.counter({
      name: 'pippin_invariants_broken_total',
      help: 'Passes that were ended because a rule of the program did not hold: each is a bug',
      labels: ['controller'],
    });
  }

  due(queue: Queue): void {
    for (const lane of ['change', 'routine'] as const) {
      this.depth.set(queue.depth(lane), { controller: this.controller, lane });
    }
  }

  passed(outcome: string, ms: number): void {
    this.seconds.observe(ms / 1000, { controller: this.controller, outcome });
  }

  heldBack(key: string, why: readonly string[]): void {
    this.held.add({ controller: this.controller });
    this.log.warn('An object is looked at too often; it has to wait', { key, why });
  }

  /** Trouble that has a name is one line; only what nobody foresaw comes with a stack trace. */
  failed(key: string, error: unknown): void {
    const { controller, log } = this;
    if (error instanceof InvariantBroken) {
      this.invariants.add({ controller });
      const { message, evidence } = error;
      log.error('A rule of the program did not hold; the pass was ended', { key, rule: message, evidence });
    } else if (error instanceof PippinError) {
      this.failures.add({ controller, code: error.code });
      log.warn('A pass failed', { key, code: error.code, error: messageOf(error), retry: error.retry });
    } else {
      this.failures.add({ controller, code: 'unexpected' });
      log.error('A pass failed unexpectedly', { key, error: error instanceof Error ? error.stack : messageOf(error) });
    }
  }
}
