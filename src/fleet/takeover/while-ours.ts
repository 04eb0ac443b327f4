// A half runs while its fleet is ours: not before it has moved over, and no longer when upstream's managers write to it again.

import { seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { linkedSignal } from '../../base/linked-signal.ts';
import type { Kind } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Program } from '../controllers.ts';
import type { ControllerStates } from '../served/controller-states.ts';
import type { OpenWorld } from '../world.ts';
import type { HalfName } from './halves.ts';
import { type Standing, standingOf } from './standing.ts';
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

export interface WhileOursOptions {
  readonly half: HalfName;
  readonly world: OpenWorld;
  readonly sight: UpstreamSight;
  readonly states: ControllerStates;
}

const LOOK_EVERY_MS = seconds(10);

/** The lease is kept meanwhile: nobody else is to lead either. */
export function whileOurs(program: Program, options: WhileOursOptions): Program {
  const { clock, log } = options.world;
  return async signal => {
    while (!signal.aborted) {
      const standing = await look(options);
      if (standing?.kind === 'ours') await untilUpstreamWrites(program, options, signal);
      else if (standing !== undefined) hold(options, standing);
      if (signal.aborted) break;
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
    options.states.letGo(options.half);
    log.debug('A half has ended', { half: options.half });
  };
}

/** Undefined: the cluster did not say. Nothing is begun on that. */
async function look({ half, world, states }: WhileOursOptions): Promise<Standing | undefined> {
  try {
    return await standingOf(world, half);
  } catch (error) {
    states.hold(
      half,
      { reason: 'Unknown', says: `whether it has moved over cannot be read: ${messageOf(error)}` },
      world.log,
    );
    return undefined;
  }
}

function hold({ half, world, states }: WhileOursOptions, standing: Exclude<Standing, { kind: 'ours' }>): void {
  if (standing.kind === 'not moved over') {
    const says = `${standing.why}; \`pippin metal takeover\` says what to do`;
    states.hold(half, { reason: 'NotMovedOver', says }, world.log);
    return;
  }
  const says = `upstream's manager still works: ${writeText(standing.write)}`;
  states.hold(half, { reason: 'UpstreamWrites', says }, world.log);
}

async function untilUpstreamWrites(
  program: Program,
  { half, world, sight, states }: WhileOursOptions,
  signal: AbortSignal,
): Promise<void> {
  const halt = new AbortController();
  const unsubscribe = sight.onWrite(write => {
    if (halt.signal.aborted) return;
    halt.abort(new Error('upstream writes'));
    world.events.warning(write.about, 'UpstreamWrites', `Pippin stands still: ${writeText(write)}`);
    hold({ half, world, sight, states }, { kind: 'upstream writes', write });
  });
  const either = linkedSignal(signal, halt.signal);
  states.letGo(half);
  try {
    await program(either.signal);
  } finally {
    either.release();
    unsubscribe();
  }
}
