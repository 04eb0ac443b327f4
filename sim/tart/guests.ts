// The VM processes of a Mac in this process: started, asked, ended, and how each ended.

import type { ExitRecord, RunOptions, VmProcess } from '../../src/agent/vm-runtime.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { SimGuest, TartStore } from './model.ts';

/** What guests write into their status share. */
export type GuestWrites = (path: string, file: string, text: string) => void;

interface Running {
  readonly pid: number;
  readonly startedMs: number;
  readonly statusPath: string | undefined;
  cancelTimer: () => void;
}

/** The table of live VM processes. */
export interface Guests {
  names(): readonly string[];
  find(vm: string): VmProcess | undefined;
  addressFromMs(vm: string): number | undefined;
  lastExit(vm: string): ExitRecord | undefined;
  start(vm: string, run: RunOptions): VmProcess;
  askToShutDown(vm: string): void;
  /** Ends by itself, now. */
  end(vm: string, exitCode?: number): void;
  /** Ends hard. `unseen`: with nobody left to record it. */
  stop(vm: string, how: 'recorded' | 'unseen'): void;
}

const anyGuest: SimGuest = { bootSeconds: 0 };

export function guests(clock: Clock, store: TartStore, writes: GuestWrites): Guests {
  const running = new Map<string, Running>();
  const exits = new Map<string, ExitRecord>();
  const addressFrom = new Map<string, number>();
  let lastPid = 1000;
  const guestOf = (vm: string): SimGuest => store.vm(vm)?.guest ?? anyGuest;

  function drop(vm: string): Running | undefined {
    const process = running.get(vm);
    process?.cancelTimer();
    running.delete(vm);
    return process;
  }

  function end(vm: string, exitCode = guestOf(vm).exitCode): void {
    const status = drop(vm)?.statusPath;
    if (exitCode !== undefined && status !== undefined) writes(status, 'runner-rc', `${exitCode}\n`);
    exits.set(vm, {
      exitCode: 0,
      ended: guestOf(vm).crashes === true ? 'by-crash' : 'by-guest',
      finishedMs: clock.now(),
    });
  }

  return {
    names: () => [...running.keys()],
    find: vm => running.get(vm),
    addressFromMs: vm => addressFrom.get(vm),
    lastExit: vm => exits.get(vm),
    end,
    start: (vm, run) => {
      const { livesSeconds, bootSeconds } = guestOf(vm);
      const startedMs = clock.now();
      const statusPath = run.shares.find(share => share.name === 'status')?.path;
      const cancelTimer =
        livesSeconds === undefined ? () => undefined : clock.after(livesSeconds * 1000, () => end(vm));
      const process = { pid: ++lastPid, startedMs, statusPath, cancelTimer };
      running.set(vm, process);
      exits.delete(vm);
      addressFrom.set(vm, startedMs + bootSeconds * 1000);
      return process;
    },
    askToShutDown: vm => {
      const { shutDownSeconds } = guestOf(vm);
      const process = running.get(vm);
      if (shutDownSeconds === undefined || process === undefined) return;
      process.cancelTimer();
      process.cancelTimer = clock.after(shutDownSeconds * 1000, () => end(vm));
    },
    stop: (vm, how) => {
      const process = drop(vm);
      if (process !== undefined && how === 'recorded') {
        exits.set(vm, { exitCode: 0, ended: 'from-outside', finishedMs: clock.now() });
      }
    },
  };
}
