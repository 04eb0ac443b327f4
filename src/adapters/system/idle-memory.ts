// Gives memory back to the system once a program that was busy has nothing to do: Node alone keeps what it once needed.

import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 5_000;
/** Less work than this between two looks is idleness. */
const IDLE_CPU_MS = 250;
/** Less work than this since the last time has left nothing worth a collection. */
const WORTH_CPU_MS = 1_000;

/** Decides at each look, from the CPU time used so far, whether now is the moment. */
export class IdleWatch {
  #before = 0;
  #worked = 0;

  isTime(cpuMs: number): boolean {
    const used = cpuMs - this.#before;
    this.#before = cpuMs;
    this.#worked += used;
    if (used >= IDLE_CPU_MS || this.#worked < WORTH_CPU_MS) return false;
    this.#worked = 0;
    return true;
  }
}

/** Does so for as long as the process runs, without keeping it alive. */
export function giveBackWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return;
  const watch = new IdleWatch();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    // `last-resort` also shrinks what the young objects of busy times had.
    if (watch.isTime((user + system) / 1000)) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, LOOK_EVERY_MS);
  timer.unref();
}
