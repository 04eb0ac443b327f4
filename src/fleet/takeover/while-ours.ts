// A half runs while its fleet is ours: not before it has moved over, and no longer when upstream's managers write to it again.

import { minutes, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { linkedSignal } from '../../base/linked-signal.ts';
import type { Kind } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Program } from '../controllers.ts';
import type { ControllerStates } from '../served/controller-states.ts';
import type { OpenWorld } from '../world.ts';
import { runningUpstream } from './activity.ts';
import type { HalfName } from './halves.ts';
import { type Standing, standingOf } from './standing.ts';
import { UpstreamLeases } from './upstream-leases.ts';
import { recentUpstreamWrite, type UpstreamWrite, writeText } from './upstream-writes.ts';

/** What one half is told of each object that its caches see, as it came. */
export class UpstreamSight {
  readonly #half: HalfName;
  readonly #now: () => number;
  #listener: (write: UpstreamWrite) => void = () => undefined;

  constructor(half: HalfName, now: () => number) {
    this.#half = half;
    this.#now = now;
  }

  readonly seen = (kind: Kind, object: KubeObject): void => {
    const write = recentUpstreamWrite(this.#half, { kind, object, nowMs: this.#now() });
    if (write !== undefined) this.#listener(write);
  };

  /** One at a time. The returned function ends it. */
  onWrite(listener: (write: UpstreamWrite) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => undefined;
    };
  }
}

/** The lease that a half leads by, as far as it tells people something. */
export interface ToldLease {
  /** Kept on it while it is renewed; undefined: nothing any more. */
  note(text: string | undefined): void;
  /** For Events about it; undefined: not read or made yet. */
  seen(): KubeObject | undefined;
}

export interface WhileOursOptions {
  readonly half: HalfName;
  readonly world: OpenWorld;
  readonly sight: UpstreamSight;
  readonly states: ControllerStates;
  /** Left out: this half leads by none. */
  readonly lease?: ToldLease;
}

const LOOK_EVERY_MS = seconds(10);

/** While it runs: for programs of upstream that have written nothing yet. */
const LOOK_WHILE_RUNNING_MS = seconds(15);

/** Events are forgotten after an hour. */
const TELL_EVERY_MS = minutes(10);

/** The lease is kept meanwhile: no other Pippin is to lead either. */
export function whileOurs(program: Program, options: WhileOursOptions): Program {
  const { half, world, states, lease } = options;
  return async signal => {
    const holding = new Holding(options);
    const leases = new UpstreamLeases(world, [half]);
    while (!signal.aborted) {
      const standing = await look(options, holding, leases);
      if (standing?.kind === 'ours') await untilUpstreamWorks(program, options, { holding, leases, signal });
      else if (standing !== undefined) holding.hold(standing);
      if (signal.aborted) break;
      await world.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
    states.letGo(half);
    lease?.note(undefined);
    world.log.debug('A half has ended', { half });
  };
}

/** Undefined: the cluster did not say. Nothing is begun on that. */
async function look(
  { half, world }: WhileOursOptions,
  holding: Holding,
  leases: UpstreamLeases,
): Promise<Standing | undefined> {
  try {
    return await standingOf(world, half, leases);
  } catch (error) {
    holding.say('Unknown', `whether it has moved over cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

type Held = Exclude<Standing, { kind: 'ours' }>;

/** Why a half stands still, told wherever somebody may look, and told again before it is forgotten. */
class Holding {
  readonly #options: WhileOursOptions;
  #toldMs: number | undefined;

  constructor(options: WhileOursOptions) {
    this.#options = options;
  }

  hold(standing: Held): void {
    if (standing.kind === 'not moved over') {
      this.say('NotMovedOver', `${standing.why}; \`pippin metal takeover\` says what to do`);
      return;
    }
    if (standing.kind === 'not known yet') {
      this.say('Unknown', standing.why);
      return;
    }
    const reason = standing.kind === 'upstream runs' ? 'UpstreamRuns' : 'UpstreamWrites';
    const says = `upstream's manager still works: ${standing.kind === 'upstream runs' ? standing.what.join('; ') : writeText(standing.write)}`;
    this.say(reason, says);
    this.#tell(reason, `Pippin stands still: ${says}`);
  }

  say(reason: string, says: string): void {
    const { half, states, world, lease } = this.#options;
    states.hold(half, { reason, says }, world.log);
    lease?.note(says);
  }

  end(): void {
    const { half, states, lease } = this.#options;
    states.letGo(half);
    lease?.note(undefined);
    this.#toldMs = undefined;
  }

  #tell(reason: string, message: string): void {
    const { world, lease } = this.#options;
    const about = lease?.seen();
    const nowMs = world.clock.monotonic();
    if (about === undefined || (this.#toldMs !== undefined && nowMs - this.#toldMs < TELL_EVERY_MS)) return;
    this.#toldMs = nowMs;
    world.events.warning(about, reason, message);
  }
}

interface Term {
  readonly holding: Holding;
  readonly leases: UpstreamLeases;
  readonly signal: AbortSignal;
}

async function untilUpstreamWorks(
  program: Program,
  options: WhileOursOptions,
  { holding, leases, signal }: Term,
): Promise<void> {
  const { world, sight } = options;
  const halt = new AbortController();
  const stop = (standing: Held): void => {
    if (halt.signal.aborted) return;
    halt.abort(new Error(standing.kind));
    holding.hold(standing);
  };
  const unsubscribe = sight.onWrite(write => {
    if (!halt.signal.aborted)
      world.events.warning(write.about, 'UpstreamWrites', `Pippin stands still: ${writeText(write)}`);
    stop({ kind: 'upstream writes', write });
  });
  const either = linkedSignal(signal, halt.signal);
  holding.end();
  const looking = lookForPrograms(options, { leases, signal: either.signal }, stop);
  try {
    await program(either.signal);
  } finally {
    halt.abort(new Error('its program has ended'));
    either.release();
    unsubscribe();
    await looking;
  }
}

/** An answer that is none stops nothing that runs (safe-1). */
async function lookForPrograms(
  { half, world }: WhileOursOptions,
  { leases, signal }: Omit<Term, 'holding'>,
  stop: (standing: Held) => void,
): Promise<void> {
  const running = async (): Promise<readonly string[]> => runningUpstream(world.api, half, await leases.look());
  while (!signal.aborted) {
    await world.clock.sleep(LOOK_WHILE_RUNNING_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    const what = await running().catch((error: unknown) => {
      world.log.warn('Whether a program of upstream runs cannot be read', { half, error: messageOf(error) });
      return [];
    });
    if (what.length > 0) stop({ kind: 'upstream runs', what });
  }
}
