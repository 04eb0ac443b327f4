// A program of the story that runs in this process: it can be ended, killed where it stands, and started again.

import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../../src/adapters/system/random.ts';
import { seconds } from '../../../../src/base/clock.ts';
import { messageOf } from '../../../../src/base/errors.ts';
import { noMetrics } from '../../../../src/base/metrics.ts';
import type { Program } from '../../../../src/fleet/controllers.ts';
import { type OpenWorld, openWorld } from '../../../../src/fleet/world.ts';
import type { Transport } from '../../../../src/kube/transport.ts';
import { testLog } from '../../../world/test-log.ts';
import { ProcessLife } from '../process-life.ts';

const RESTART_MS = seconds(2);

export class StoryProgram {
  /** Why it ended by itself, if it did. */
  fallen: string | undefined;
  readonly #name: string;
  readonly #transport: Transport;
  readonly #make: (world: OpenWorld) => Program;
  #life: ProcessLife | undefined;
  #run: Promise<void> = Promise.resolve();

  constructor(name: string, transport: Transport, make: (world: OpenWorld) => Program) {
    this.#name = name;
    this.#transport = transport;
    this.#make = make;
  }

  start(): void {
    if (this.#life !== undefined) return;
    const life = new ProcessLife();
    this.#life = life;
    this.#run = this.#work(life).catch((error: unknown) => {
      if (!life.signal.aborted) this.fallen = `${this.#name}: ${messageOf(error)}`;
    });
  }

  /** As a deployment ends it. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#life?.end();
    this.#life = undefined;
    await this.#run;
  }

  /** It is back after a while, as its supervisor would have it. */
  crash(): void {
    this.#life?.die();
    this.#life = undefined;
    void systemClock.sleep(RESTART_MS).then(() => this.start());
  }

  async #work(life: ProcessLife): Promise<void> {
    const world = openWorld({
      transport: life.transport(this.#transport),
      component: this.#name,
      clock: systemClock,
      random: systemRandom,
      log: testLog(this.#name, systemClock),
      metrics: noMetrics,
    });
    life.signal.addEventListener('abort', () => void world.close(), { once: true });
    await this.#make(world)(life.signal);
  }
}
