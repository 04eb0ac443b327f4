// Which controllers of this program run, and what those wait for that do not: for its log, its metrics and its status page.

import type { Log } from '../../base/log.ts';
import type { Gauge, Metrics } from '../../base/metrics.ts';

interface State {
  readonly is: 'on' | 'off';
  /** Kinds that are not served: those that it waits for, or those that it does without. */
  readonly missing: readonly string[];
}

/** Why a whole half stands still. */
type Hold = { readonly reason: string; readonly says: string };

export class ControllerStates {
  readonly #states = new Map<string, State>();
  readonly #holds = new Map<string, Hold>();
  readonly #gauge: Gauge;
  readonly #held: Gauge;

  constructor(metrics: Metrics) {
    this.#gauge = metrics.gauge({
      name: 'pippin_controller_on',
      help: 'Whether a controller runs: 0 while a kind that it follows is not served, or while its half stands still',
      labels: ['controller'],
    });
    this.#held = metrics.gauge({
      name: 'pippin_half_held',
      help: 'Whether a half stands still: 1 while its fleet has not moved over, or while upstream writes to its objects',
      labels: ['half', 'reason'],
    });
  }

  /** All controllers of this half stand still. Said once for each reason in words. */
  hold(half: string, hold: Hold, log: Log): void {
    if (this.#holds.get(half)?.says === hold.says) return;
    this.letGo(half);
    this.#holds.set(half, hold);
    this.#held.set(1, { half, reason: hold.reason });
    log.warn('A half stands still', { half, ...hold });
  }

  letGo(half: string): void {
    const hold = this.#holds.get(half);
    this.#holds.delete(half);
    if (hold !== undefined) this.#held.forget({ half, reason: hold.reason });
  }

  /** `without`: kinds that it does without, as they are not served. Said once for each set of them. */
  on(controller: string, log: Log, without: readonly string[] = []): void {
    const before = this.#take(controller, { is: 'on', missing: without });
    this.#gauge.set(1, { controller });
    if (before === undefined ? without.length === 0 : isSame(before, this.#states.get(controller))) return;
    if (without.length > 0)
      log.warn('A controller does without kinds that are not served here', { controller, without });
    else log.info('A controller is on: all its kinds are served', { controller });
  }

  /** Said once for each set of kinds. */
  off(controller: string, missing: readonly string[], log: Log): void {
    const before = this.#take(controller, { is: 'off', missing });
    this.#gauge.set(0, { controller });
    if (isSame(before, this.#states.get(controller))) return;
    log.warn('A controller is off: kinds that it follows are not served here', { controller, missing });
  }

  /** It has ended, with its half or with this program; nothing is said, as whoever ended it does. */
  ended(controller: string): void {
    this.#take(controller, { is: 'off', missing: [] });
    this.#gauge.set(0, { controller });
  }

  /** The state before. */
  #take(controller: string, state: State): State | undefined {
    const before = this.#states.get(controller);
    this.#states.set(controller, state);
    return before;
  }

  /** One line for each: `metal3-data  off: waits for ipclaims.ipam.metal3.io`; first of all, halves that stand still. */
  page(): string {
    const held = [...this.#holds].map(([half, { says }]) => `${half}: stands still: ${says}\n`);
    const width = Math.max(0, ...[...this.#states.keys()].map(({ length }) => length));
    const lines = [...this.#states].map(([name, state]) => `${name.padEnd(width)}  ${sayingOf(state)}\n`);
    return [...held, ...lines.sort()].join('');
  }
}

function sayingOf({ is, missing }: State): string {
  if (is === 'off') return missing.length === 0 ? 'off' : `off: waits for ${missing.join(', ')}`;
  return missing.length === 0 ? 'on' : `on, without ${missing.join(', ')}`;
}

const isSame = (one: State | undefined, other: State | undefined): boolean =>
  one?.is === other?.is && one?.missing.join() === other?.missing.join();
